import { sql } from 'kysely'
import { after, minutes } from './clock.ts'
import type { Db } from './database/database.ts'
import type { Platform, Tx } from './platform.ts'

type Removing = Pick<Platform, 'db' | 'clock' | 'storage'>
type RemovingTx = Pick<Tx, 'db' | 'clock'> & { afterCommit(task: (platform: Removing) => unknown): void }

const atOnce = 20
const page = 500

async function forget(db: Db, keys: readonly string[]): Promise<void> {
  await sql`delete from files_to_remove where key = any(${keys}::text[])`.execute(db)
}

/** After a batch in which every removal failed, the store counts as unreachable for a minute. */
const awaySince = new WeakMap<Platform['storage'], Date>()
const awayMs = minutes(1)

const isAway = ({ clock, storage }: Removing) => {
  const since = awaySince.get(storage)
  return since !== undefined && after(since, awayMs) > clock.now()
}

async function removeNow({ db, clock, storage }: Removing, keys: readonly string[]): Promise<unknown[]> {
  const faults: unknown[] = []
  for (let start = 0; start < keys.length; start += atOnce) {
    const some = keys.slice(start, start + atOnce)
    const ended = await Promise.allSettled(some.map((key) => storage.remove(key)))
    faults.push(...ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])))
    await forget(
      db,
      some.filter((_, place) => ended[place]?.status === 'fulfilled'),
    )
    if (ended.every(({ status }) => status === 'rejected')) {
      awaySince.set(storage, clock.now())
      break
    }
    awaySince.delete(storage)
  }
  return faults
}

/**
 * Removes files whose rows this transaction deletes: right after the commit, or within minutes if the store or this
 * process is down then. Don't pass keys that will be written again.
 */
export async function removeWithCommit(tx: RemovingTx, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await sql`insert into files_to_remove (key, since) select key, ${tx.clock.now()} from unnest(${keys}::text[]) as key
    on conflict do nothing`.execute(tx.db)
  tx.afterCommit(async (platform) => {
    if (isAway(platform)) return
    const [fault] = await removeNow(platform, keys)
    if (fault !== undefined) throw fault
  })
}

export async function removeLeftFiles(platform: Removing & Pick<Platform, 'log'>): Promise<void> {
  for (let last = ''; ; ) {
    const { rows } = await sql<{ key: string }>`
      select key from files_to_remove where key > ${last} order by key limit ${page}`.execute(platform.db)
    const faults = await removeNow(
      platform,
      rows.map(({ key }) => key),
    )
    if (faults.length > 0) {
      platform.log.error({ err: faults[0], files: faults.length }, 'files could not be removed; retrying later')
    }
    last = rows.at(-1)?.key ?? ''
    if (rows.length < page || isAway(platform)) return
  }
}
