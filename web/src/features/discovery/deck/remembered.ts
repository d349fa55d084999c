import { useState } from 'react'
import { type DeviceKey, deviceTexts } from '../../../platform/storage.ts'

export function useRemembered<V extends string>(
  key: DeviceKey,
  choices: readonly [V, ...V[]],
): [V, (choice: V) => void] {
  const [choice, setChoice] = useState<V>(() => {
    const stored = deviceTexts.read(key)
    return choices.find((known) => known === stored) ?? choices[0]
  })
  const remember = (next: V) => {
    deviceTexts.write(key, next)
    setChoice(next)
  }
  return [choice, remember]
}
