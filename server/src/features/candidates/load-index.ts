import { LRUCache } from 'lru-cache'
import { minutes } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'
import { readPeople, type Seen } from './people-index.queries.ts'
import { createPeopleIndex, finishLoading, type PeopleIndex, putPerson, putTally } from './people-index.ts'
import { newDays } from './search-bounds.ts'

/** The most people that one process indexes. Each takes about 110 bytes of memory. */
export const mostPeople = 3_000_000
/** Extra capacity for new people: a share of all profiles, plus a minimum. */
const room = { spare: 0.25, least: 2_000 }
/**
 * The total number of decisions that are cached, and for how long. Decisions retracted in another process are noticed
 * when the cache expires.
 */
const remembered = { places: 10_000_000, ms: minutes(10) }

/** The people a viewer has decided on, as places in the index. Includes decisions made up to the time `until`. */
interface Decided {
  places: number[]
  until: string
}

/** An index, and the snapshots up to which its people and tallies are current. */
export interface Current {
  index: PeopleIndex
  people: Seen
  tallies: Seen
  talliesAt: number
  decided: LRUCache<string, Decided>
}

/** Reads all visible people into an index. Undefined if there are more than `most`. */
export async function loadIndex({ pool }: Pick<Platform, 'pool'>, most: number): Promise<Current | undefined> {
  let index: PeopleIndex | undefined
  const seen = await readPeople(pool, {
    start: ({ people, profiles, day }) => {
      if (people > most) return false
      // Reserves places for all profiles, because hidden people get one once someone has decided on them.
      index = createPeopleIndex(Math.ceil(profiles * (1 + room.spare)) + room.least, day - newDays)
      return true
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
  return { index, people: seen, tallies: seen, talliesAt: performance.now(), decided }
}
