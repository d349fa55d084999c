/**
 * Returns the result of `ask`, or undefined if it throws. Many browser APIs are missing or throw on access when site
 * data is blocked, in some private windows, and without TLS.
 */
export function permitted<T>(ask: () => T): T | undefined {
  try {
    return ask()
  } catch {
    return undefined
  }
}
