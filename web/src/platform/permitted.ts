/**
 * Returns what `ask` returns, or undefined if it throws. With site data blocked, in some private windows and without
 * TLS, many browser APIs are missing or throw on access.
 */
export function permitted<T>(ask: () => T): T | undefined {
  try {
    return ask()
  } catch {
    return undefined
  }
}
