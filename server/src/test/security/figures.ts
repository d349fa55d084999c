import { appendFileSync } from 'node:fs'

/** The first seed; SECURITY_SEED=N resumes an interrupted long run. */
export const firstSeed = (byDefault: number): number => Number(process.env.SECURITY_SEED || byDefault)

/**
 * Reports a measured figure to the program that started the tests: SECURITY_FIGURES names a file with one JSON line per
 * figure.
 */
export function noteFigure(id: string, value: number, note: string): void {
  const file = process.env.SECURITY_FIGURES
  if (file) appendFileSync(file, `${JSON.stringify({ id, value, note })}\n`)
}
