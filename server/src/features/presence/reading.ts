import { createLanes } from '../../platform/database/lanes.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Contacts } from './contacts.ts'
import type { Online } from './online.ts'
import type { Pairs } from './pairs.ts'
import { type ContactRow, findContacts, findQuiet } from './presence.queries.ts'
import type { Visibility } from './visibility.ts'

const readAtOnce = 500
/** In milliseconds. The delay doubles with each retry, up to `longest`. */
const retryMs = { first: 500, longest: 30_000 }

/**
 * Retries until the database answers, because nothing else would trigger another attempt. Resolves after the first
 * attempt.
 */
export async function persist(log: Platform['log'], read: () => Promise<void>, waitMs = retryMs.first): Promise<void> {
  try {
    await read()
  } catch (err) {
    log.warn({ err }, 'the list of contacts could not be read; it is tried again')
    // biome-ignore lint/plugin/void: `persist` catches every failure.
    setTimeout(() => void persist(log, read, Math.min(waitMs * 2, retryMs.longest)), waitMs).unref()
  }
}

interface Parts {
  contacts: Contacts
  visibility: Visibility
  online: Online
  pairs: Pairs
}

export function createReading(
  { realtime, log, db }: Pick<Platform, 'realtime' | 'log' | 'db'>,
  { contacts, visibility, online, pairs }: Parts,
) {
  async function read(userIds: string[]): Promise<ContactRow[]> {
    const [rows, quiet] = await Promise.all([findContacts(db, userIds), findQuiet(db, userIds)])
    visibility.take(userIds, quiet)
    return rows
  }
  const arrivals = createArrivals((userIds) => contacts.load(userIds, read))
  async function readAgain(userIds: string[]): Promise<void> {
    await contacts.load(userIds, read)
    for (const userId of userIds) online.sendSoon(userId)
  }
  async function reread(userId: string): Promise<void> {
    const rows = await findContacts(db, [userId])
    const all = new Set([userId, ...contacts.watchersOf(userId), ...rows.map(({ peer_id }) => peer_id)])
    await readAgain([...all].filter((id) => realtime.isConnectedHere(id)))
  }

  return {
    async arrive(userId: string): Promise<void> {
      if (!realtime.isConnectedHere(userId)) return
      await arrivals.push(userId, userId)
      if (visibility.endDeferral(userId)) online.updateWatchers(userId)
      if (!visibility.hidesPresence(userId)) return
      pairs.partFromAll(userId)
      realtime.announce('hush', userId)
    },
    reread: (userId: string) => persist(log, () => reread(userId)),
    async rereadEverybody(): Promise<void> {
      const everybody = contacts.everybody()
      for (let start = 0; start < everybody.length; start += readAtOnce) {
        const some = everybody.slice(start, start + readAtOnce)
        await persist(log, () => readAgain(some))
      }
    },
  }
}

export type PresenceReading = ReturnType<typeof createReading>

const createArrivals = (load: (userIds: string[]) => Promise<void>) =>
  createLanes<string, void>({
    async flush(userIds) {
      await load(userIds)
      return []
    },
    lanes: 1,
    mostWaiting: Number.POSITIVE_INFINITY,
    mostWaitMs: Number.POSITIVE_INFINITY,
  })
