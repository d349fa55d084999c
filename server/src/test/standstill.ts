/**
 * How long a test waits for what must come. Only a standstill takes that long: no test depends on how fast the machine
 * is, however little of it other programs leave.
 */
export const standstillMs = 60_000
