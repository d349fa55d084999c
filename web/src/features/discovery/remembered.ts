import { useState } from 'react'

/** One of a few choices, kept on this device. */
export function useRemembered<V extends string>(key: string, choices: readonly [V, ...V[]]): [V, (choice: V) => void] {
  const [choice, setChoice] = useState<V>(() => {
    const stored = localStorage.getItem(key)
    return choices.find((known) => known === stored) ?? choices[0]
  })
  const remember = (next: V) => {
    localStorage.setItem(key, next)
    setChoice(next)
  }
  return [choice, remember]
}
