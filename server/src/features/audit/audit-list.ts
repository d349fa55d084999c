import type { AuditEntry } from '@duet/contract/moderation.ts'
import { cutPage, readCursor } from '../../platform/http/cursor.ts'
import type { Platform } from '../../platform/platform.ts'
import { type EntryRow, findChoices, findEntries } from './audit.queries.ts'

const list = 'audit'

function entryView(row: EntryRow): AuditEntry {
  const { seq, action, target, reason, details, actor_id: id, actor_name: name } = row
  const actor = id === null ? null : { id, name: name ?? '' }
  return {
    ...{ seq, actor, action, target, reason, details },
    at: row.at.toISOString(),
    hash: row.hash.toString('hex'),
  }
}

// A year that the database cannot read in a text, it can in a time.
const momentOf = (text: string | undefined) => (text === undefined ? undefined : new Date(text))

interface Asked {
  /** An id, or `duet`. */
  actor?: string | undefined
  action?: string | undefined
  from?: string | undefined
  to?: string | undefined
  cursor?: string | undefined
  limit: number
}

/** A page of what administrators did, newest first, as far as it fits; with the first one, what there is to choose from. */
export async function listAuditEntries(
  { db, secrets }: Pick<Platform, 'db' | 'secrets'>,
  { actor, action, from, to, cursor, limit }: Asked,
) {
  const before = cursor ? Number(readCursor(secrets, list, cursor)[0]) : undefined
  const rows = await findEntries(
    db,
    { actor: actor === 'duet' ? null : actor, action, from: momentOf(from), to: momentOf(to) },
    { before, limit: limit + 1 },
  )
  const { page, nextCursor } = cutPage(secrets, list, { rows, limit, positionOf: ({ seq }) => [seq] })
  return {
    entries: page.map(entryView),
    nextCursor,
    choices: cursor ? null : await findChoices(db),
  }
}
