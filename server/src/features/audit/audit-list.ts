import type { AuditEntry } from '@duet/contract/moderation.ts'
import { cutPage, readCursor } from '../../platform/http/cursor.ts'
import type { Platform } from '../../platform/platform.ts'
import { type EntryRow, findChoices, findEntries, findReceiptsAbout } from './audit.queries.ts'

const list = 'audit'

const idsIn = ({ details }: EntryRow) => (Array.isArray(details.ids) ? details.ids.map(String) : [])

/** Removes `hidden` receipts and accounts from the details. Drops a list of linked accounts that becomes empty. */
function detailsOf({ details }: EntryRow, hidden: ReadonlySet<string>): AuditEntry['details'] {
  const left = Object.entries(details).map(([key, value]): [string, unknown] => {
    const isList = (key === 'ids' || key === 'linked') && Array.isArray(value)
    return [key, isList ? value.filter((one) => !hidden.has(String(one))) : value]
  })
  return Object.fromEntries(left.filter(([key, value]) => key !== 'linked' || (value as unknown[]).length > 0))
}

/**
 * Administrators must not learn of reports about themselves. Entries about reports and reviews name no person, notes
 * about the viewer are blank, and views by other administrators omit `hidden` receipts and accounts.
 */
function entryView(row: EntryRow, hidden: ReadonlySet<string>): AuditEntry {
  const { seq, action, actor_id: id, actor_name: name } = row
  const actor = id === null ? null : { id, name: name ?? '' }
  const { person, ...unnamed } = row.target
  const target = unnamed.kind === 'report' || unnamed.kind === 'review' ? unnamed : row.target
  // A reason that the software generated isn't an administrator's note, so it is shown.
  const reason = row.own && id !== null ? '' : row.reason
  return {
    seq,
    actor,
    action,
    target,
    reason,
    details: detailsOf(row, hidden),
    at: row.at.toISOString(),
    hash: row.hash.toString('hex'),
  }
}

// Converted here because PostgreSQL can't parse every year as text, but accepts all of them as dates.
const momentOf = (text: string | undefined) => (text === undefined ? undefined : new Date(text))

interface Asked {
  actor?: string | undefined
  action?: string | undefined
  from?: string | undefined
  to?: string | undefined
  cursor?: string | undefined
  limit: number
}

/**
 * A page of the log entries that the viewer may read, newest first, limited in size. The first page includes the
 * choices for the filters.
 */
export async function listAuditEntries(
  { db, secrets }: Pick<Platform, 'db' | 'secrets'>,
  viewerId: string,
  { actor, action, from, to, cursor, limit }: Asked,
) {
  const before = cursor ? Number(readCursor(secrets, list, cursor)[0]) : undefined
  const rows = await findEntries(
    db,
    viewerId,
    { actor: actor === 'duet' ? null : actor, action, from: momentOf(from), to: momentOf(to) },
    { before, limit: limit + 1 },
  )
  const { page, nextCursor } = cutPage(secrets, list, { rows, limit, positionOf: ({ seq }) => [seq] })
  const hidden = new Set([viewerId, ...(await findReceiptsAbout(db, viewerId, page.flatMap(idsIn)))])
  return {
    entries: page.map((row) => entryView(row, hidden)),
    nextCursor,
    choices: cursor ? null : await findChoices(db),
  }
}
