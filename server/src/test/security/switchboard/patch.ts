import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import type { Change, Hole } from './hole.ts'

export const root = fileURLToPath(new URL('../../../../../', import.meta.url))

/** Replaces the only occurrence of `find`. Throws if there is none or several, so that changed code is noticed. */
export function replaceOnce(text: string, { find, replace }: { find: string; replace: string }, where: string): string {
  const parts = text.split(find)
  if (parts.length !== 2) throw new Error(`${where} has ${parts.length - 1} times, not once: ${find}`)
  return parts.join(replace)
}

/** A source file's text with the vulnerability; undefined if the vulnerability doesn't change this file. */
export function withHole({ name, changes }: Hole, file: string, text = readFileSync(join(root, file), 'utf8')) {
  const own = changes.filter((change) => 'file' in change && change.file === file)
  if (own.length === 0) return undefined
  return own.reduce(
    (patched, change) => replaceOnce(patched, change as Extract<Change, { file: string }>, `${name}: ${file}`),
    text,
  )
}

export const filesOf = ({ changes }: Hole): string[] => [
  ...new Set(changes.flatMap((change) => ('file' in change ? [change.file] : []))),
]

/** Adds the vulnerability to a migrated database through its owner's connection. */
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
