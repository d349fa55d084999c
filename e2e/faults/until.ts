import { setTimeout as sleep } from 'node:timers/promises'

/** How long to wait for a condition. Even on a slow machine, reaching it means that something hangs. */
export const standstillMs = 60_000

/** Waits until a condition holds. Returns false if it doesn't within the limit. */
export async function until(holds: () => boolean | Promise<boolean>, limitMs: number): Promise<boolean> {
  const end = performance.now() + limitMs
  while (performance.now() < end) {
    if (await holds()) return true
    await sleep(20)
  }
  return false
}

/** Returns a list with the line if the condition doesn't hold, otherwise an empty list. */
export const unless = (holds: boolean, line: string): string[] => (holds ? [] : [line])
