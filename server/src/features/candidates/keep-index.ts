import { hours, minutes, seconds } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'
import { regionAround, regionOfWide, regionsAround } from '../places/cells.ts'
import { type Current, loadIndex, mostPeople, readIn } from './load-index.ts'
import { type Changes, deleteChanges, findChangedPeople, findTallies } from './people-index.queries.ts'
import { anyDistance, firstAfter, putPerson, putTally, removePerson, type TextRow } from './people-index.ts'

/** Changes that are followed one by one; with more the index is made anew. */
const mostChanges = { people: 6_000, tallies: 20_000 }
/** How full an index may be before it is made anew with more room. */
const full = 0.97
const every = { follow: minutes(1), tallies: seconds(2), load: seconds(10), retry: minutes(5), choose: hours(1) }
/** For how long changes are kept, and how long an index may not have followed, in seconds. */
const changesKept = { hours: 3, followed: hours(1) / 1000 }

interface Kept {
  current?: Current | undefined
  loading?: Promise<void> | undefined
  loadedAt: number
  following?: Promise<void> | undefined
  next?: Promise<void> | undefined
  /** How often each region was searched; halved when regions are chosen anew. */
  searches: Map<number, number>
  /** When regions were chosen last. */
  chosenAt: number
  most: number
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

/** The regions that are searched, from the one that is searched most. */
const byUse = ({ searches }: Kept): number[] =>
  [...searches].sort(([, one], [, other]) => other - one).map(([region]) => region)

async function load(platform: Indexed, kept: Kept): Promise<void> {
  kept.chosenAt = performance.now()
  kept.current = await loadIndex(platform, { most: kept.most, regions: byUse(kept) })
  // What was searched long ago counts less each time.
  for (const [region, count] of kept.searches) kept.searches.set(region, count / 2)
  const { current } = kept
  const ms = Math.round(performance.now() - kept.chosenAt)
  if (current) platform.log.debug({ people: current.index.ids.count, ms }, 'people are indexed')
  else throw new Error('there are too many')
}

/** Makes the index anew. What is there serves until then. */
const reload = (platform: Indexed, kept: Kept): void => later(platform, kept, () => load(platform, kept))

/** Reads regions into the index that were searched and are not in it; where there is no room, they are chosen anew. */
function widen(platform: Indexed, kept: Kept, current: Current): void {
  later(platform, kept, async () => {
    const held = current.regions
    if (!held || kept.current !== current) return
    const wanted = byUse(kept).filter((region) => !held.has(region))
    const { people, tallies } = current
    const regions = await readIn(platform, current, wanted)
    while (kept.following) await kept.following.catch(() => undefined)
    // In one step: who searches from now on follows first what changed since before these were read.
    Object.assign(current, { people, tallies })
    for (const region of regions) held.add(region)
    if (regions.length === wanted.length) return
    // Those that are searched less go where that is worth reading all of it.
    if (performance.now() - kept.chosenAt > kept.pace.choose) await load(platform, kept)
    else kept.loadedAt = performance.now() + kept.pace.retry
  })
}

/** Whether the index holds what a search around a cell (km) needs; what is missing is read for later ones. */
export function holds(platform: Indexed, current: Current, cell: string, km: number): boolean {
  const { regions: held } = current
  const kept = keptBy.get(platform.pool)
  if (!held || !kept) return true
  const needed = regionsAround(cell, km)
  for (const region of needed) kept.searches.set(region, (kept.searches.get(region) ?? 0) + 1)
  const isHeld = needed.every((region) => held.has(region))
  if (!isHeld) widen(platform, kept, current)
  return isHeld
}

/** A row of someone the index does not hold counts as one of someone who cannot be seen. */
const isGone = ({ regions }: Current, row: TextRow) =>
  row.length === 1 ||
  (regions !== undefined && Number(row[9]) !== anyDistance && !regions.has(regionOfWide(row[1] as string)))

/** Takes changes in; false when the index cannot be kept in step with them, as after a failover. */
function follow(current: Current, { seen, people: rows, tooMany }: Changes): boolean {
  const { index, people } = current
  if (tooMany || seen.history !== people.history || seen.at - people.at > changesKept.followed) return false
  for (const row of rows) {
    if (isGone(current, row)) removePerson(index, row[0] as string)
    else if (!putPerson(index, row)) return false
  }
  return true
}

async function followOnce(platform: Indexed, kept: Kept): Promise<void> {
  const { current } = kept
  if (!current) return
  const isDue = performance.now() - current.talliesAt >= kept.pace.tallies
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

/**
 * How many of a thousand people live before the region of a cell, in the order of regions, so that those who look at the
 * same people have numbers near each other; undefined where this process has room for everyone.
 */
export function partOf(platform: Pick<Platform, 'pool'>, cell: string): number | undefined {
  const { regions, parts = [] } = currentIndex(platform) ?? {}
  if (!regions) return undefined
  const region = regionAround(cell)
  const place = firstAfter(0, parts.length, (position) => (parts[position]?.[0] ?? 0) <= region)
  return parts[place - 1]?.[1] ?? 0
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
 * Keeps an index of visible people in the memory of this process, and in step with the database: of all, or of those
 * regions that are searched here where they are more than `most`. Follows before each search and, unless `byTheClock` is
 * false, every minute.
 */
export function keepPeopleIndex(
  platform: Indexed,
  { most = mostPeople, pace = every, byTheClock = true } = {},
): PeopleIndexing {
  const kept: Kept = {
    ...{ searches: new Map(), most, pace, takenBack: 0, isOver: false },
    ...{ loadedAt: Number.NEGATIVE_INFINITY, chosenAt: Number.NEGATIVE_INFINITY },
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
