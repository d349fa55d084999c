import { useState } from 'react'
import '../../../platform/personal/personal.ts'
import { tabTexts } from '../../../platform/storage.ts'

const key = 'entry'

export function readKept(): Record<string, unknown> {
  try {
    const kept: unknown = JSON.parse(tabTexts.read(key) ?? '{}')
    return typeof kept === 'object' ? { ...kept } : {}
  } catch {
    return {}
  }
}

/** Whether a stored value has the shape of `model`. Another version of the app may have stored it. */
export function isLike(value: unknown, model: unknown): boolean {
  if (Array.isArray(model)) return Array.isArray(value) && value.every((item) => typeof item === 'string')
  if (typeof model !== 'object') return typeof value === typeof model
  if (model === null || typeof value !== 'object' || value === null) return model === null && typeof value !== 'object'
  return Object.entries(model).every(([key, part]) => isLike(value[key as keyof typeof value], part))
}

export const forgetKept = () => tabTexts.remove(key)

/** Stores the state of a form before it mounts, so that it opens filled in. */
export const keepFor = (name: string, value: object) =>
  tabTexts.write(key, JSON.stringify({ ...readKept(), [name]: value }))

/**
 * State of a sign-in or sign-up form, stored for this tab under `name`, because phones unload pages while people read
 * their email. It is deleted when they sign in or out. Never use it for passwords.
 */
export function useKept<T extends object>(name: string, initial: T): [T, (next: T) => void] {
  const [value, setValue] = useState<T>(() => {
    const kept = Object.entries(readKept()[name] ?? {}).filter(([key, value]) => isLike(value, initial[key as keyof T]))
    return { ...initial, ...Object.fromEntries(kept) }
  })
  const keep = (next: T) => {
    setValue(next)
    keepFor(name, next)
  }
  return [value, keep]
}
