import { vi } from 'vitest'

/** Nothing that a test waits for takes so long, however slow the machine: it stands still. In milliseconds. */
export const standstill = 30_000

/** Waits until `check` throws no more, as `waitFor` does where there is no page. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: standstill })
