import { setTimeout as sleep } from 'node:timers/promises'

/** How long the suite waits for what must come: only a standstill takes that long, however slow the machine is. */
export const standstillMs = 60_000

/** Waits until something holds. Returns whether it came to hold in time. */
export async function until(holds: () => boolean | Promise<boolean>, limitMs: number): Promise<boolean> {
  const end = performance.now() + limitMs
  while (performance.now() < end) {
    if (await holds()) return true
    await sleep(20)
  }
  return false
}

/** One line when a condition does not hold. */
export const unless = (holds: boolean, line: string): string[] => (holds ? [] : [line])
