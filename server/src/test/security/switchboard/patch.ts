import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import type { Change, Hole } from './hole.ts'

export const root = fileURLToPath(new URL('../../../../../', import.meta.url))

/** Replaces the one place where `find` stands. Throws when it is not there, or more than once, so that moving it is noticed. */
export function replaceOnce(text: string, { find, replace }: { find: string; replace: string }, where: string): string {
  const parts = text.split(find)
  if (parts.length !== 2) throw new Error(`${where} has ${parts.length - 1} times, not once: ${find}`)
  return parts.join(replace)
}

/** The text of a source file with a hole in it; undefined for a file that the hole leaves as it is. */
export function withHole({ name, changes }: Hole, file: string, text = readFileSync(join(root, file), 'utf8')) {
  const own = changes.filter((change) => 'file' in change && change.file === file)
  if (own.length === 0) return undefined
  return own.reduce(
    (patched, change) => replaceOnce(patched, change as Extract<Change, { file: string }>, `${name}: ${file}`),
    text,
  )
}

/** The source files that a hole changes. */
export const filesOf = ({ changes }: Hole): string[] => [
  ...new Set(changes.flatMap((change) => ('file' in change ? [change.file] : []))),
]

/** Opens a hole in a migrated database; `owner` is a connection of its owner. */
export async function openInDatabase(owner: pg.Client, { name, changes }: Hole): Promise<void> {
  for (const change of changes) {
    if ('statement' in change) await owner.query(change.statement)
    if (!('function' in change)) continue
    const { rows } = await owner.query<{ text: string }>(
      `select pg_get_functiondef(p.oid) as text from pg_proc p
       where p.proname = $1 and p.pronamespace = 'public'::regnamespace`,
      [change.function],
    )
    if (rows.length !== 1) throw new Error(`${name}: there are ${rows.length} functions ${change.function}, not one`)
    await owner.query(replaceOnce(rows[0]?.text ?? '', change, `${name}: ${change.function}`))
  }
}
