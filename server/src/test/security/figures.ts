import { appendFileSync } from 'node:fs'

/** What chance begins with; SECURITY_SEED=N goes on where a long run was cut off. */
export const firstSeed = (byDefault: number): number => Number(process.env.SECURITY_SEED || byDefault)

/** Hands a measured figure to the program that started the tests: SECURITY_FIGURES names a file, one JSON line a figure. */
export function noteFigure(id: string, value: number, note: string): void {
  const file = process.env.SECURITY_FIGURES
  if (file) appendFileSync(file, `${JSON.stringify({ id, value, note })}\n`)
}
