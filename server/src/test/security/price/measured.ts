import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What one call of something costs server and database together, and the same times how often a minute it is let through. */
export interface Price {
  ms: number
  secondsAMinute: number
}

const file = fileURLToPath(new URL('./measured.json', import.meta.url))

/** As the last long run found them, on the machine it ran on. */
export const readMeasured = (): Record<string, Price> =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Price>) : {}

export function keepMeasured(prices: Record<string, Price>): void {
  const lines = Object.entries(prices).map(
    ([name, { ms, secondsAMinute }]) =>
      `  ${JSON.stringify(name)}: { "ms": ${ms}, "secondsAMinute": ${secondsAMinute} }`,
  )
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`)
}
