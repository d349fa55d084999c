import { hours, minutes, seconds } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'
import { type Current, loadIndex, mostPeople } from './load-index.ts'
import { type Changes, deleteChanges, findChangedPeople, findTallies, readTallies } from './people-index.queries.ts'
import { putPerson, putTally, removePerson, type TextRow } from './people-index.ts'

/**
 * The most changes that the index applies one by one. Beyond these numbers it reloads all people, or reads all changed
 * tallies page by page.
 */
const mostChanges = { people: 6_000, tallies: 20_000 }
/** The index is rebuilt with more room when it is this full. */
const full = 0.97
const every = { follow: minutes(1), tallies: seconds(2), load: seconds(10), retry: minutes(5) }
/** `hours`: for how long changes are stored. `followed`: how far behind an index may be, in seconds. */
const changesKept = { hours: 3, followed: hours(1) / 1000 }

interface Kept {
  current?: Current | undefined
  loading?: Promise<void> | undefined
  loadedAt: number
  following?: Promise<void> | undefined
  next?: Promise<void> | undefined
  most: number
  mostTallies: number
  pace: typeof every
  /** The number of retractions so far. Decisions read before a retraction aren't cached. */
  takenBack: number
  wake?: (() => void) | undefined
  isOver: boolean
}

type Indexed = Pick<Platform, 'pool' | 'log'>

/** Keyed by pool, because a platform and its transactions share it. */
const keptBy = new WeakMap<Platform['pool'], Kept>()

/** Runs background work one task at a time, with a pause of `pace.load` between tasks. */
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
      // Searches use the database until the next attempt.
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

/** Rebuilds the index in the background. Searches use the old one in the meantime. */
const reload = (platform: Indexed, kept: Kept): void => later(platform, kept, () => load(platform, kept))

/** Applies changes. Returns false if the index can't catch up, for example after a failover. */
function follow(current: Current, { seen, people: rows, tooMany }: Changes): boolean {
  const { index, people } = current
  if (tooMany || seen.history !== people.history || seen.at - people.at > changesKept.followed) return false
  for (const row of rows) {
    if (row.length === 1) removePerson(index, row[0] as string)
    else if (!putPerson(index, row)) return false
  }
  return true
}

/** Reads a large number of changed tallies in the background. Searches use the old tallies in the meantime. */
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

/** Applies everything committed before this call. Calls that arrive during a read share the next one. */
function followAll(platform: Indexed, kept: Kept): Promise<void> {
  const start = () => {
    kept.following = followOnce(platform, kept).finally(() => {
      kept.following = undefined
    })
    return kept.following
  }
  if (!kept.following) return start()
  // The running read may have started before the caller's change was committed, so the caller waits for the next one.
  kept.next ??= kept.following
    .catch(() => undefined)
    .then(() => {
      kept.next = undefined
      return kept.following ?? start()
    })
  return kept.next
}

/** The number of people in the index; undefined if searches use the database. */
export const countIndexed = (platform: Pick<Platform, 'pool'>): number | undefined =>
  currentIndex(platform)?.index.ids.count

/** The current index, which may be out of date. */
export function currentIndex({ pool }: Pick<Platform, 'pool'>): Current | undefined {
  return keptBy.get(pool)?.current
}

/** Applies everything committed so far. Returns false if the index can no longer be used. */
export async function bringUpToDate(platform: Indexed, current: Current): Promise<boolean> {
  const kept = keptBy.get(platform.pool)
  if (!kept) return false
  await followAll(platform, kept)
  return kept.current === current
}

/** The number of retractions so far. If it changes during a read of decisions, these aren't cached. */
export const timesTakenBack = ({ pool }: Pick<Platform, 'pool'>): number => keptBy.get(pool)?.takenBack ?? 0

/** Call this when the viewer retracts a decision. Their decisions are then read again. */
export function forgetDecisionsInIndex({ pool }: Pick<Platform, 'pool'>, viewerId: string): void {
  const kept = keptBy.get(pool)
  if (!kept) return
  kept.takenBack++
  kept.current?.decided.delete(viewerId)
}

export interface PeopleIndexing {
  /** Resolves when the first load has finished or failed. */
  loaded: Promise<void>
  close(): Promise<void>
}

/**
 * Maintains an index of visible people in this process's memory; none if there are more than `most`. Updates it before
 * each search and, unless `byTheClock` is false, every minute.
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

export function forgetChanges({ db }: Pick<Platform, 'db'>): Promise<void> {
  return deleteChanges(db, changesKept.hours * 3_600)
}
