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

/** Whether a stored value has the shape of `model`. A different version of the app may have stored it. */
export function isLike(value: unknown, model: unknown): boolean {
  if (Array.isArray(model)) return Array.isArray(value) && value.every((item) => typeof item === 'string')
  if (typeof model !== 'object') return typeof value === typeof model
  if (model === null || typeof value !== 'object' || value === null) return model === null && typeof value !== 'object'
  return Object.entries(model).every(([key, part]) => isLike(value[key as keyof typeof value], part))
}

export const forgetKept = () => tabTexts.remove(key)

/** Stores a form's state before the form mounts, so that the form opens filled in. */
export const keepFor = (name: string, value: object) =>
  tabTexts.write(key, JSON.stringify({ ...readKept(), [name]: value }))

/**
 * State of a sign-in or sign-up form, stored for this tab under `name`, because phones may unload the page while the
 * person checks their email. Signing in or out deletes it. Never use it for passwords.
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
