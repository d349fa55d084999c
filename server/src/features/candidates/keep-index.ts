import { LRUCache } from 'lru-cache'
import { hours, minutes, seconds } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'
import {
  type Changes,
  deleteChanges,
  findChangedPeople,
  findTallies,
  readPeople,
  type Seen,
} from './people-index.queries.ts'
import {
  createPeopleIndex,
  finishLoading,
  type PeopleIndex,
  putPerson,
  putTally,
  removePerson,
} from './people-index.ts'
import { newDays } from './search-bounds.ts'

/** More people than this are searched in the database: about 145 bytes of memory each. */
const mostPeople = 3_000_000
/** Changes that are followed one by one; with more the index is made anew. */
const mostChanges = { people: 6_000, tallies: 20_000 }
/** Room for people to come, and when it is time for more. */
const room = { spare: 0.25, least: 2_000, full: 0.97 }
const every = { follow: minutes(1), tallies: seconds(2), load: seconds(10), retry: minutes(5) }
/** For how long changes are kept, and how long an index may not have followed, in seconds. */
const changesKept = { hours: 3, followed: hours(1) / 1000 }
/** Places of people decided on that are remembered in all, and for how long; what was taken back elsewhere is seen then. */
const remembered = { places: 10_000_000, ms: minutes(10) }

/** People a viewer decided on, as places, with all decisions up to a moment. */
interface Decided {
  places: number[]
  until: string
}

/** An index with what goes with it. */
export interface Current {
  index: PeopleIndex
  people: Seen
  tallies: Seen
  talliesAt: number
  decided: LRUCache<string, Decided>
}

interface Kept {
  current?: Current | undefined
  loading?: Promise<void> | undefined
  loadedAt: number
  following?: Promise<void> | undefined
  next?: Promise<void> | undefined
  /** Counts decisions taken back: what was read before one is not remembered. */
  takenBack: number
  /** Ends a pause before a load. */
  wake?: (() => void) | undefined
  isOver: boolean
}

type Indexed = Pick<Platform, 'pool' | 'log'>

/** By the pool, which a platform and the transactions in it share. */
const keptBy = new WeakMap<Platform['pool'], Kept>()

/** Reads all people into an index; undefined when they are too many. */
async function load({ pool }: Indexed): Promise<Current | undefined> {
  let index: PeopleIndex | undefined
  const seen = await readPeople(pool, {
    // People who cannot be seen have a place as well, once they have been decided on.
    start: ({ people, profiles, day }) => {
      if (people > mostPeople) return false
      index = createPeopleIndex(Math.ceil(profiles * (1 + room.spare)) + room.least, day - newDays)
      return true
    },
    person: (row) => void (index && putPerson(index, row)),
    tally: (row) => index && putTally(index, row),
  })
  if (!index || !seen) return undefined
  finishLoading(index)
  const decided = new LRUCache<string, Decided>({
    maxSize: remembered.places,
    sizeCalculation: ({ places }) => places.length + 20,
    ttl: remembered.ms,
  })
  return { index, people: seen, tallies: seen, talliesAt: performance.now(), decided }
}

/** Loads in the background, not more often than every few seconds. What is there serves until then. */
function reload(platform: Indexed, kept: Kept): void {
  if (kept.loading || kept.isOver) return
  const wait = Math.max(0, kept.loadedAt + every.load - performance.now())
  kept.loading = pause(wait, kept)
    .then(async () => {
      if (kept.isOver) return
      kept.loadedAt = performance.now()
      kept.current = await load(platform)
      const { current } = kept
      const ms = Math.round(performance.now() - kept.loadedAt)
      if (current) platform.log.debug({ people: current.index.ids.count, ms }, 'people are indexed')
      else throw new Error('there are too many')
    })
    .catch((err) => {
      // Until then the database searches.
      kept.loadedAt = performance.now() + every.retry
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

/** Takes changes in; false when the index cannot be kept in step with them, as after a failover. */
function follow({ index, people }: Current, { seen, people: rows, tooMany }: Changes): boolean {
  if (tooMany || seen.history !== people.history || seen.at - people.at > changesKept.followed) return false
  for (const row of rows) {
    if (row.length === 1) removePerson(index, row[0] as string)
    else if (!putPerson(index, row)) return false
  }
  return true
}

async function followOnce(platform: Indexed, kept: Kept): Promise<void> {
  const { current } = kept
  if (!current) return
  const isDue = performance.now() - current.talliesAt >= every.tallies
  const [changes, tallies] = await Promise.all([
    findChangedPeople(platform.pool, current.people.snapshot, mostChanges.people),
    isDue ? findTallies(platform.pool, current.tallies.snapshot, mostChanges.tallies) : undefined,
  ])
  if (kept.current !== current) return
  if (!follow(current, changes) || tallies?.tooMany) {
    kept.current = undefined
    reload(platform, kept)
    return
  }
  current.people = changes.seen
  if (tallies) {
    for (const row of tallies.people) putTally(current.index, row)
    current.tallies = tallies.seen
    current.talliesAt = performance.now()
  }
  if (current.index.ids.count > current.index.capacity * room.full) reload(platform, kept)
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

/** The index there is now, perhaps behind. */
/** How many people are in memory to be searched; undefined while the database searches. */
export const countIndexed = (platform: Pick<Platform, 'pool'>): number | undefined =>
  currentIndex(platform)?.index.ids.count

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

/** Keeps an index of all visible people in the memory of this process, and in step with the database. */
export function keepPeopleIndex(platform: Indexed): PeopleIndexing {
  const kept: Kept = { loadedAt: Number.NEGATIVE_INFINITY, takenBack: 0, isOver: false }
  keptBy.set(platform.pool, kept)
  reload(platform, kept)
  const timer = setInterval(() => {
    if (!kept.current) return reload(platform, kept)
    followAll(platform, kept).catch((err) => platform.log.warn({ err }, 'the index of people could not follow'))
  }, every.follow)
  timer.unref()
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
