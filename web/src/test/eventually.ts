import { vi } from 'vitest'

/** The timeout of test assertions, in ms. High enough for the slowest machine, so that only a hang reaches it. */
export const standstill = 30_000

/** Retries `check` until it passes. Like `waitFor`, but works without a DOM. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: standstill })
