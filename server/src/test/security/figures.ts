import { appendFileSync } from 'node:fs'

/** The first seed. Set SECURITY_SEED=N to resume an interrupted long run. */
export const firstSeed = (byDefault: number): number => Number(process.env.SECURITY_SEED || byDefault)

/**
 * Reports a measurement to the program that started the tests: SECURITY_FIGURES names a file that gets one JSON line
 * per measurement.
 */
export function noteFigure(id: string, value: number, note: string): void {
  const file = process.env.SECURITY_FIGURES
  if (file) appendFileSync(file, `${JSON.stringify({ id, value, note })}\n`)
}
