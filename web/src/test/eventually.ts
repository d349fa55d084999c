import { vi } from 'vitest'

/** How long tests wait before they fail, in ms. Long enough for the slowest machine, so only a hang reaches it. */
export const standstill = 30_000

/** Retries `check` until it passes, like `waitFor`, for tests without a DOM. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: standstill })
