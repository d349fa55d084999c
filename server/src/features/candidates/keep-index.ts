import { hours, minutes, seconds } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'
import { type Current, loadIndex, mostPeople } from './load-index.ts'
import { type Changes, deleteChanges, findChangedPeople, findTallies, readTallies } from './people-index.queries.ts'
import { putPerson, putTally, removePerson, type TextRow } from './people-index.ts'

/**
 * The most changes that the index applies one by one. With more people it reloads, with more tallies it reads all
 * tallies in pages.
 */
const mostChanges = { people: 6_000, tallies: 20_000 }
/** How full an index may be before it is made anew with more room. */
const full = 0.97
const every = { follow: minutes(1), tallies: seconds(2), load: seconds(10), retry: minutes(5) }
/** For how long changes are kept, and how long an index may not have followed, in seconds. */
const changesKept = { hours: 3, followed: hours(1) / 1000 }

interface Kept {
  current?: Current | undefined
  loading?: Promise<void> | undefined
  loadedAt: number
  following?: Promise<void> | undefined
  next?: Promise<void> | undefined
  most: number
  /** The most changed tallies that the index applies one by one. */
  mostTallies: number
  pace: typeof every
  /** Counts decisions taken back: what was read before one is not remembered. */
  takenBack: number
  /** Ends a pause before a load. */
  wake?: (() => void) | undefined
  isOver: boolean
}

type Indexed = Pick<Platform, 'pool' | 'log'>

/** By the pool, which a platform and the transactions in it share. */
const keptBy = new WeakMap<Platform['pool'], Kept>()

/** Works in the background, one thing at a time and not more often than every few seconds. */
function later(platform: Indexed, kept: Kept, work: () => Promise<void>): void {
  if (kept.loading || kept.isOver) return
  const wait = Math.max(0, kept.loadedAt + kept.pace.load - performance.now())
  kept.loading = pause(wait, kept)
    .then(async () => {
      if (kept.isOver) return
      kept.loadedAt = performance.now()
      await work()
    })
    .catch((err) => {
      // Until then the database searches.
      kept.loadedAt = performance.now() + kept.pace.retry
      if (!kept.isOver) platform.log.warn({ err }, 'people could not be indexed')
    })
    .finally(() => {
      kept.loading = undefined
    })
}

function pause(ms: number, kept: Kept): Promise<void> {
  if (ms <= 0) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    timer.unref()
    kept.wake = () => {
      clearTimeout(timer)
      resolve()
    }
  })
}

async function load(platform: Indexed, kept: Kept): Promise<void> {
  const start = performance.now()
  kept.current = await loadIndex(platform, kept.most)
  const people = kept.current?.index.ids.count
  if (people !== undefined) {
    platform.log.debug({ people, ms: Math.round(performance.now() - start) }, 'people are indexed')
    return
  }
  kept.loadedAt = performance.now() + kept.pace.retry
  platform.log.info({ most: kept.most }, 'too many people to index: the database searches')
}

/** Makes the index anew. What is there serves until then. */
const reload = (platform: Indexed, kept: Kept): void => later(platform, kept, () => load(platform, kept))

/** Takes changes in; false when the index cannot be kept in step with them, as after a failover. */
function follow(current: Current, { seen, people: rows, tooMany }: Changes): boolean {
  const { index, people } = current
  if (tooMany || seen.history !== people.history || seen.at - people.at > changesKept.followed) return false
  for (const row of rows) {
    if (row.length === 1) removePerson(index, row[0] as string)
    else if (!putPerson(index, row)) return false
  }
  return true
}

/** Reads very many changed tallies in the background. Until then the index serves the old tallies. */
function readAllTallies(platform: Indexed, kept: Kept, current: Current): void {
  later(platform, kept, async () => {
    current.talliesAt = Number.POSITIVE_INFINITY
    try {
      const take = (row: TextRow) => putTally(current.index, row)
      current.tallies = await readTallies(platform.pool, current.tallies.snapshot, take)
    } finally {
      current.talliesAt = performance.now()
    }
  })
}

async function followOnce(platform: Indexed, kept: Kept): Promise<void> {
  const { current } = kept
  if (!current) return
  const isDue = performance.now() - current.talliesAt >= kept.pace.tallies
  const [changes, tallies] = await Promise.all([
    findChangedPeople(platform.pool, current.people.snapshot, mostChanges.people),
    isDue ? findTallies(platform.pool, current.tallies.snapshot, kept.mostTallies) : undefined,
  ])
  if (kept.current !== current) return
  if (!follow(current, changes)) {
    kept.current = undefined
    reload(platform, kept)
    return
  }
  current.people = changes.seen
  if (tallies) {
    if (tallies.tooMany) readAllTallies(platform, kept, current)
    else {
      for (const row of tallies.people) putTally(current.index, row)
      current.tallies = tallies.seen
      current.talliesAt = performance.now()
    }
  }
  if (current.index.ids.count > current.index.capacity * full) reload(platform, kept)
}

/** Follows what was committed before this call. One reading at a time, which all who ask meanwhile share. */
function followAll(platform: Indexed, kept: Kept): Promise<void> {
  const start = () => {
    kept.following = followOnce(platform, kept).finally(() => {
      kept.following = undefined
    })
    return kept.following
  }
  if (!kept.following) return start()
  // A reading under way may have begun before the caller's own change.
  kept.next ??= kept.following
    .catch(() => undefined)
    .then(() => {
      kept.next = undefined
      return kept.following ?? start()
    })
  return kept.next
}

/** How many people are in memory to be searched; undefined while the database searches. */
export const countIndexed = (platform: Pick<Platform, 'pool'>): number | undefined =>
  currentIndex(platform)?.index.ids.count

/** The index there is now, perhaps behind. */
export function currentIndex({ pool }: Pick<Platform, 'pool'>): Current | undefined {
  return keptBy.get(pool)?.current
}

/** Brings an index to what is committed now; false when it no longer can be used. */
export async function bringUpToDate(platform: Indexed, current: Current): Promise<boolean> {
  const kept = keptBy.get(platform.pool)
  if (!kept) return false
  await followAll(platform, kept)
  return kept.current === current
}

/** Counts retracted decisions; what was read under another number is not remembered. */
export const timesTakenBack = ({ pool }: Pick<Platform, 'pool'>): number => keptBy.get(pool)?.takenBack ?? 0

/** A decision of the viewer was retracted: the people they decided on are read anew. */
export function forgetDecisionsInIndex({ pool }: Pick<Platform, 'pool'>, viewerId: string): void {
  const kept = keptBy.get(pool)
  if (!kept) return
  kept.takenBack++
  kept.current?.decided.delete(viewerId)
}

export interface PeopleIndexing {
  /** When the first load has ended, well or not. */
  loaded: Promise<void>
  close(): Promise<void>
}

/**
 * Keeps an index of visible people in the memory of this process, and in step with the database; with more than `most`
 * people there is none. Follows before each search and, unless `byTheClock` is false, every minute.
 */
export function keepPeopleIndex(
  platform: Indexed,
  { most = mostPeople, mostTallies = mostChanges.tallies, pace = every, byTheClock = true } = {},
): PeopleIndexing {
  const kept: Kept = {
    loadedAt: Number.NEGATIVE_INFINITY,
    most,
    mostTallies,
    pace,
    takenBack: 0,
    isOver: false,
  }
  keptBy.set(platform.pool, kept)
  reload(platform, kept)
  const goOn = () => {
    if (!kept.current) return reload(platform, kept)
    followAll(platform, kept).catch((err) => platform.log.warn({ err }, 'the index of people could not follow'))
  }
  const timer = byTheClock ? setInterval(goOn, pace.follow).unref() : undefined
  return {
    loaded: kept.loading ?? Promise.resolve(),
    close: async () => {
      kept.isOver = true
      clearInterval(timer)
      kept.wake?.()
      keptBy.delete(platform.pool)
      await Promise.all([kept.loading, kept.following?.catch(() => undefined)])
      await kept.next?.catch(() => undefined)
      kept.current = undefined
    },
  }
}

/** Forgets the changes that every index has followed long ago. */
export function forgetChanges({ db }: Pick<Platform, 'db'>): Promise<void> {
  return deleteChanges(db, changesKept.hours * 3_600)
}
