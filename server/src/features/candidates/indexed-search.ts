import { after, minutes } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Candidate } from '../matching/traits.ts'
import type { Searching } from './candidates.queries.ts'
import { dateNumber, dayOf, pendingOn } from './days.ts'
import { idAt, placeFor, placeOf, readBytes, readId } from './id-table.ts'
import { type IndexSearcher, kmTo, searchIndex } from './index-search.ts'
import { bringUpToDate, timesTakenBack } from './keep-index.ts'
import type { Current } from './load-index.ts'
import { findRelations } from './people-index.queries.ts'
import { anyDistance, nextStamp, type PeopleIndex } from './people-index.ts'
import { cellsInTurn, chanceOf, hiddenPresenceDays, newDays, searchBounds } from './search-bounds.ts'

type Relations = Awaited<ReturnType<typeof findRelations>>

/**
 * Decisions from this long before the last read are read again, because the clocks of processes differ and transactions
 * commit late.
 */
const overlap = minutes(1)

function indexSearcherOf({ viewerId, me }: Searching): IndexSearcher {
  return {
    id: readId(viewerId, new Uint32Array(4)),
    ...{ latitude: me.latitude, longitude: me.longitude, gender: me.gender, seeks: me.seeks, years: me.years },
    ...{ bornAfter: dayOf(me.born_after), bornUntil: dayOf(me.born_until), reach: me.reach },
    ...{ traits: me.traits, refuses: me.refuses, languages: me.languages, needsLanguages: me.needs_languages },
    ...{ height: me.height, heightMin: me.height_min, heightMax: me.height_max },
  }
}

const buckets = [2, 5, 10, 25, 50, 100]

interface Moment {
  day: number
  date: number
}

function candidateAt(index: PeopleIndex, me: IndexSearcher, { day, date }: Moment, place: number): Candidate {
  const km = kmTo(me, index, place)
  return {
    id: idAt(index.ids, place),
    age: Math.floor((date - dateNumber(index.birth[place]!)) / 10_000),
    traits: index.traits[place]!,
    avoids: index.avoids[place]!,
    languages: index.languages[place]!,
    interests: [index.interests1[place]!, index.interests2[place]!],
    a: index.saysYes[place]!,
    b: index.isLiked[place]!,
    daysInactive: index.isQuiet[place]! ? hiddenPresenceDays : Math.max(0, day - index.activeOn[place]!),
    pending: pendingOn(day, index.pending[place]!, index.pendingAt[place]!),
    impressions: index.impressions[place]!,
    distanceKm: buckets.find((bound) => km < bound) ?? null,
    likesViewer: false,
    isNew: day - index.since[place]! <= newDays,
  }
}

const words = new Uint32Array(4)

function findPlacesOfIds({ ids }: PeopleIndex, bytes: Buffer, find: typeof placeOf): number[] {
  const places: number[] = []
  for (let offset = 0; offset < bytes.length; offset += 16) {
    const place = find(ids, readBytes(bytes, offset, words))
    if (place >= 0) places.push(place)
  }
  return places
}

/** Adds new decisions to the cached ones. Hidden people get a place too, because they may become visible again. */
function decidedOf(
  { index, decided }: Current,
  viewerId: string,
  relations: Relations,
  until: string | undefined,
): number[] {
  const known = decided.get(viewerId)?.places
  const stamp = nextStamp(index)
  for (const place of known ?? []) index.stamps[place] = stamp
  const places = until && known ? known : [...(known ?? [])]
  for (const place of findPlacesOfIds(index, relations.decided, placeFor))
    if (index.stamps[place] !== stamp) places.push(place)
  // The cache entry keeps its expiry, because decisions that another process retracted are noticed only when it
  // expires.
  if (until)
    decided.set(viewerId, { places, until }, known ? { ttl: Math.max(1, decided.getRemainingTTL(viewerId)) } : {})
  return places
}

/**
 * Like `searchCandidates`, but in the index. Returns `no index` if the index can no longer be used. `cell` is the
 * searcher's.
 */
export async function searchInMemory(
  platform: Pick<Platform, 'pool' | 'clock' | 'log' | 'secrets'>,
  current: Current,
  { cell, ...searching }: Searching & { cell: string },
  likedBy: readonly string[] | Promise<readonly string[]>,
): Promise<Candidate[] | 'no index'> {
  const { viewerId, today } = searching
  const me = indexSearcherOf(searching)
  const km = me.reach === anyDistance ? searchBounds.farthestKm : me.reach
  const now = platform.clock.now()
  const since = current.decided.get(viewerId)?.until ?? '-infinity'
  const takenBack = timesTakenBack(platform)
  const [isCurrent, relations, likers] = await Promise.all([
    bringUpToDate(platform, current),
    findRelations(platform.pool, viewerId, since),
    likedBy,
  ])
  const isComplete = since === '-infinity' || current.decided.has(viewerId)
  if (!isCurrent || !isComplete) return 'no index'
  const { index } = current
  const until = timesTakenBack(platform) === takenBack ? after(now, -overlap).toISOString() : undefined
  const places = {
    decided: decidedOf(current, viewerId, relations, until),
    apart: findPlacesOfIds(index, relations.apart, placeOf),
    likers: likers.map((id) => placeOf(index.ids, readId(id, words))).filter((place) => place >= 0),
  }
  const chance = chanceOf(platform, viewerId, today)
  const cells = cellsInTurn(cell, km, chance)
  const day = dayOf(today)
  const moment = { day, date: dateNumber(day) }
  const candidates = searchIndex(index, me, places, { day, chance, cells, ...searchBounds }).map((place) =>
    candidateAt(index, me, moment, place),
  )
  const likes = new Set(likers)
  for (const one of candidates) one.likesViewer = likes.has(one.id)
  return candidates
}
