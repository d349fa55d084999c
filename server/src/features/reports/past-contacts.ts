import type { PastContact } from '@duet/contract/reports.ts'
import { cutPage, type PageRequest, readTimedPosition, timedPosition } from '../../platform/http/cursor.ts'
import type { Platform } from '../../platform/platform.ts'
import { findPastContacts } from './past-contacts.queries.ts'

const list = 'past-contacts'

/**
 * A page of the people whom the viewer matched or exchanged messages with and no longer sees, newest first. A block, an
 * ended match, a suspension and an account awaiting its erasure look alike.
 */
export async function listPastContacts(
  platform: Pick<Platform, 'db' | 'clock' | 'secrets'>,
  viewerId: string,
  { cursor, limit }: PageRequest,
): Promise<{ people: PastContact[]; nextCursor: string | null }> {
  const rows = await findPastContacts(platform.db, viewerId, {
    now: platform.clock.now(),
    after: readTimedPosition(platform.secrets, list, cursor),
    limit: limit + 1,
  })
  const positionOf = ({ since, id }: (typeof rows)[number]) => timedPosition(since, id)
  const { page, nextCursor } = cutPage(platform.secrets, list, { rows, limit, positionOf })
  const people = page.map(({ id, name, since, matched }) => ({ id, name, since: since.toISOString(), matched }))
  return { people, nextCursor }
}
