import { LRUCache } from 'lru-cache'
import { minutes } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'
import { countInRegions, countRegions, readPeople, readRegions, type Seen } from './people-index.queries.ts'
import { createPeopleIndex, finishLoading, type PeopleIndex, putPerson, putTally } from './people-index.ts'
import { newDays } from './search-bounds.ts'

/** People one process has room for: about 110 bytes of memory each. */
export const mostPeople = 3_000_000
/** Room for people to come, and what an index of regions leaves for them. */
const room = { spare: 0.25, least: 2_000, taken: 0.9 }
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
  /** Whose people it holds, beside those who accept any distance; undefined for all of them. */
  regions: Set<number> | undefined
  /** Where it has regions, how many of a thousand people come before each of all regions, in the order of regions. */
  parts: readonly [region: number, part: number][]
  people: Seen
  tallies: Seen
  talliesAt: number
  decided: LRUCache<string, Decided>
}

type Readable = Pick<Platform, 'pool'>

function partsOf(counts: readonly [region: number, people: number][]): [region: number, part: number][] {
  const all = counts.reduce((sum, [, people]) => sum + people, 0)
  let before = 0
  return counts.map(([region, people]) => {
    const part = Math.floor((1_000 * before) / all)
    before += people
    return [region, part]
  })
}

/**
 * Reads all people into an index; where they are more than `most`, those who accept any distance and, for as long as
 * there is room, those of `regions`, which come in the order of their use. Undefined when not even this has room.
 */
export async function loadIndex(
  platform: Readable,
  { most, regions }: { most: number; regions: readonly number[] },
): Promise<Current | undefined> {
  let index: PeopleIndex | undefined
  let isPartial = false
  const seen = await readPeople(platform.pool, {
    start: ({ people, anywhere, profiles, day }) => {
      isPartial = people > most
      if (isPartial && anywhere > most * room.taken) return 'no one'
      // People who cannot be seen have a place as well, once they have been decided on.
      const places = isPartial ? most : Math.ceil(profiles * (1 + room.spare)) + room.least
      index = createPeopleIndex(places, day - newDays)
      return isPartial ? 'anywhere' : 'everyone'
    },
    person: (row) => index && putPerson(index, row),
    tally: (row) => index && putTally(index, row),
  })
  if (!index || !seen) return undefined
  finishLoading(index)
  const decided = new LRUCache<string, Decided>({
    maxSize: remembered.places,
    sizeCalculation: ({ places }) => places.length + 20,
    ttl: remembered.ms,
  })
  const held = isPartial ? new Set<number>() : undefined
  const parts = isPartial ? partsOf(await countRegions(platform.pool)) : []
  const current = { index, regions: held, parts, people: seen, tallies: seen, talliesAt: performance.now(), decided }
  // These are of a later snapshot. It is as well: what changed since the first one is followed.
  if (held) for (const region of await readIn(platform, current, regions)) held.add(region)
  return current
}

/**
 * Reads those of `regions` into an index for which there is room, and tells which. Who is in the index by now is left as
 * they are, for they may have changed since; before these regions are searched, the index has to follow everything from
 * before this call again.
 */
export async function readIn(
  { pool }: Readable,
  { index }: Pick<Current, 'index'>,
  regions: readonly number[],
): Promise<number[]> {
  const counts = regions.length > 0 ? await countInRegions(pool, regions) : new Map<number, number>()
  let left = index.capacity * room.taken - index.ids.count
  const fitting = regions.filter((region) => {
    const count = counts.get(region) ?? 0
    if (count > left) return false
    left -= count
    return true
  })
  if (fitting.length > 0) await readRegions(pool, fitting, (row) => putPerson(index, row, { onlyNew: true }))
  return fitting
}
