import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What came of opening a hole: how each test that must catch it failed. */
export interface Caught {
  /** The digest of the hole as it was opened. */
  of: string
  failures: string[]
}

const file = fileURLToPath(new URL('found.json', import.meta.url))

/** What came of each hole when it was last opened, by its name. */
export const found = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Caught>

/** Keeps what came of holes, in the order of `names`; others are forgotten. */
export function keepFound(names: readonly string[]): void {
  const kept = Object.fromEntries(names.flatMap((name) => (found[name] ? [[name, found[name]]] : [])))
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`)
}
