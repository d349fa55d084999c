import { appendFileSync } from 'node:fs'

/** How much is tried: the short form is part of npm test, the long one is npm run test:security -- --long. */
export const isLong = process.env.SECURITY_SIZE === 'long'

/** What chance begins with; SECURITY_SEED=N goes on where a long run was cut off. */
export const firstSeed = (byDefault: number): number => Number(process.env.SECURITY_SEED || byDefault)

export const sized = (short: number, long: number): number => (isLong ? long : short)

/** Hands a measured figure to whoever started the tests: SECURITY_FIGURES names a file, one JSON line a figure. */
export function noteFigure(id: string, value: number, note: string): void {
  const file = process.env.SECURITY_FIGURES
  if (file) appendFileSync(file, `${JSON.stringify({ id, value, note })}\n`)
}
