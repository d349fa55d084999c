import { useState } from 'react'
import { whenPersonChanges } from '../../platform/session.ts'
import { tabTexts } from '../../platform/storage.ts'

const key = 'entry'

function read(): Record<string, unknown> {
  try {
    return JSON.parse(tabTexts.read(key) ?? '{}')
  } catch {
    return {}
  }
}

/** Removes all that was kept on the way in. */
export const forgetKept = () => tabTexts.remove(key)

whenPersonChanges(forgetKept)

/** Keeps the state of a form that is about to be shown. */
export const keepFor = (name: string, value: object) =>
  tabTexts.write(key, JSON.stringify({ ...read(), [name]: value }))

/**
 * State of a form on the way in, kept for this tab under `name`: phones close pages while people read their mail. It is
 * gone once they are in, or out. Never for passwords.
 */
export function useKept<T extends object>(name: string, initial: T): [T, (next: T) => void] {
  const [value, setValue] = useState<T>(() => {
    const kept = read()[name]
    return typeof kept === 'object' ? { ...initial, ...kept } : initial
  })
  const keep = (next: T) => {
    setValue(next)
    keepFor(name, next)
  }
  return [value, keep]
}
