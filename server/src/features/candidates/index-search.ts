import { limits } from '@duet/contract/limits.ts'
import { placeOf } from './id-table.ts'
import {
  anyDistance,
  firstAfter,
  type Group,
  genderBits,
  kindOf,
  nextStamp,
  type PeopleByDay,
  type PeopleIndex,
  pointOf,
} from './people-index.ts'
import { type Chance, kept, mostBeside, newDays, takeTurns } from './search-bounds.ts'

/** The searcher's row of the database function `searcher`: their filters, and what others filter by. */
export interface IndexSearcher {
  id: Uint32Array
  latitude: number
  longitude: number
  gender: number
  seeks: number
  years: number
  /** The accepted birth dates in days since 1970: after `bornAfter`, up to and including `bornUntil`. */
  bornAfter: number
  bornUntil: number
  reach: number
  traits: number
  refuses: number
  languages: number
  needsLanguages: number
  height: number
  heightMin: number
  heightMax: number
}

const radians = Math.PI / 180
const latitudeOf = (index: PeopleIndex, place: number): number => index.coordinates[index.spot[place]! * 2]!

/** The distance between two cell centres, computed like the database function `centre_distance_km`. */
export function kmTo({ latitude, longitude }: IndexSearcher, index: PeopleIndex, place: number): number {
  const [theirLatitude, theirLongitude] = [latitudeOf(index, place), index.coordinates[index.spot[place]! * 2 + 1]!]
  const north = Math.sin(((theirLatitude - latitude) * radians) / 2)
  const east = Math.sin(((theirLongitude - longitude) * radians) / 2)
  const across = Math.cos(latitude * radians) * Math.cos(theirLatitude * radians)
  return 2 * 6371.0088 * Math.asin(Math.min(1, Math.sqrt(north * north + across * east * east)))
}

function acceptsDistance(me: IndexSearcher, index: PeopleIndex, place: number): boolean {
  const reach = Math.min(me.reach, index.reach[place]!)
  if (reach === anyDistance) return true
  return Math.abs(latitudeOf(index, place) - me.latitude) * 111 < reach && kmTo(me, index, place) < reach
}

const speaks = (needs: number, languages: number) => needs === 0 || languages === 0 || (needs & languages) !== 0
const isBetween = (height: number, least: number, most: number) => height === 0 || (height >= least && height <= most)

const fitsAges = (me: IndexSearcher, index: PeopleIndex, place: number) =>
  index.birth[place]! > me.bornAfter && index.birth[place]! <= me.bornUntil

/** The searcher's filters, like `fitsMe` of the queries. */
function fitsMe(me: IndexSearcher, index: PeopleIndex, place: number): boolean {
  return (
    (index.gender[place]! & me.seeks) !== 0 &&
    fitsAges(me, index, place) &&
    (index.traits[place]! & me.refuses) === 0 &&
    speaks(me.needsLanguages, index.languages[place]!) &&
    isBetween(index.height[place]!, me.heightMin, me.heightMax)
  )
}

/** The candidate's filters, like `fitsThem` of the queries. */
function fitsThem(me: IndexSearcher, index: PeopleIndex, place: number): boolean {
  return (
    (index.seeks[place]! & me.gender) !== 0 &&
    me.years >= index.ageMin[place]! &&
    (me.years <= index.ageMax[place]! || index.ageMax[place]! >= limits.ageFilterMax) &&
    (index.refuses[place]! & me.traits) === 0 &&
    speaks(index.needsLanguages[place]!, me.languages) &&
    isBetween(me.height, index.heightMin[place]!, index.heightMax[place]!)
  )
}

/** Whether a visible person fits both ways, like `fitsBothWays` of the queries. A test compares the two. */
function fits(me: IndexSearcher, index: PeopleIndex, place: number): boolean {
  return fitsMe(me, index, place) && fitsThem(me, index, place) && acceptsDistance(me, index, place)
}

export interface Extent {
  /** Days since 1970. */
  day: number
  chance: Chance
  /** Wide cells from near to far. */
  cells: readonly string[]
  perCell: number
  most: number
  anywhere: number
  received: number
}

/** The people a searcher must not find, and those who like them, as places. */
export interface Relations {
  decided: ArrayLike<number>
  apart: ArrayLike<number>
  likers: ArrayLike<number>
}

interface Search extends Extent {
  index: PeopleIndex
  me: IndexSearcher
  /** Marks people who have been found or must not be. */
  stamp: number
  /** Marks people who are found unless newcomers and others take their places. */
  tentative: number
}

const lastDay = 65_535

interface Stretch {
  from: number
  to: number
  /** Leaves out people who came after this day. */
  arrivedUntil?: number
}

/** Marks the people who fit in a range of `places` and adds them to `found`, until `found` holds `most`. */
function gather(
  search: Search,
  places: ArrayLike<number>,
  stretch: Stretch,
  most: number,
  found: number[],
  mark: number,
) {
  const { index, me, stamp, tentative } = search
  const { from, to, arrivedUntil = lastDay } = stretch
  for (let position = from; position < to && found.length < most; position++) {
    const place = places[position]!
    // First the check that rejects most people: each further column costs a cache miss.
    if (!fitsAges(me, index, place) || index.stamps[place] === stamp) continue
    if (index.stamps[place] !== tentative && (index.kind[place]! < 0 || !fits(me, index, place))) continue
    if (index.since[place]! > arrivedUntil) continue
    index.stamps[place] = mark
    found.push(place)
  }
}

interface Days {
  from?: number
  downTo?: number
  arrivedUntil?: number
}

/** Gathers from a group, day by day; each day starts at the viewer's point of the circle. */
function walk(search: Search, group: Group, days: Days, most: number, found: number[], mark: number): void {
  const { index, chance } = search
  const { places, count } = group
  const { from, downTo = 0, arrivedUntil = lastDay } = days
  const dayAt = (position: number) => group.days[places[position]!]!
  let start = from === undefined ? 0 : firstAfter(0, count, (position) => dayAt(position) > from)
  while (start < count && found.length < most) {
    const day = dayAt(start)
    if (day < downTo) return
    const end = firstAfter(start + 1, count, (position) => dayAt(position) === day)
    const turn = firstAfter(start, end, (position) => pointOf(index, places[position]!) < chance.point)
    gather(search, places, { from: turn, to: end, arrivedUntil }, most, found, mark)
    gather(search, places, { from: start, to: turn, arrivedUntil }, most, found, mark)
    start = end
  }
}

/**
 * Finds up to `most` people of a kind, the most recently active first. If more fit, some newcomers and some people of
 * any day come first.
 */
function choose(search: Search, { active, arrived }: PeopleByDay, most: number): number[] {
  const { index, day, chance, stamp, tentative } = search
  const latest: number[] = []
  walk(search, active, {}, most, latest, tentative)
  const chosen: number[] = []
  if (latest.length === most) {
    const newFrom = day - newDays
    walk(search, arrived, { downTo: newFrom }, kept.newcomers, chosen, stamp)
    // Draws a person rather than a day, so that the chance doesn't depend on when people were last active.
    const from = active.days[active.places[Math.floor(chance.start * active.count)]!]!
    walk(search, active, { from, arrivedUntil: newFrom - 1 }, chosen.length + kept.earlier, chosen, stamp)
  }
  for (const place of latest) {
    if (index.stamps[place] !== tentative) continue
    const isChosen = chosen.length < most
    index.stamps[place] = isChosen ? stamp : 0
    if (isChosen) chosen.push(place)
  }
  return chosen
}

/** Kinds up to this size are first read in any order: usually all who fit can be taken. */
const smallKind = 1_000

/** Like `choose`, but returns all people in any order if fewer than `room` fit. */
function chooseOrAll(search: Search, kind: PeopleByDay, most: number, room: number): number[] {
  const { places, count } = kind.active
  if (room <= 0 || count > smallKind) return choose(search, kind, most)
  const all: number[] = []
  const enough = Math.min(room, most)
  gather(search, places, { from: 0, to: count }, enough, all, search.tentative)
  if (all.length === enough && count > enough) {
    const chosen = choose(search, kind, most)
    for (const place of all) if (search.index.stamps[place] !== search.stamp) search.index.stamps[place] = 0
    return chosen
  }
  for (const place of all) search.index.stamps[place] = search.stamp
  return all
}

/** Searches the rarest genders first, to know how much room is left for the others, then alternates between them. */
function searchGendersInTurn({ me }: Search, most: number, find: (gender: number, most: number) => number[]): number[] {
  const lists: number[][] = []
  for (const gender of genderBits.toReversed())
    if ((gender & me.seeks) !== 0) lists.unshift(find(gender, mostBeside(lists, most)))
  return takeTurns(lists, most)
}

function gatherNear(search: Search): number[] {
  const { index, me, cells, perCell, most } = search
  // Each gender may fill its share, whatever is found of the others.
  const share = Math.floor(most / genderBits.filter((gender) => (gender & me.seeks) !== 0).length)
  return searchGendersInTurn(search, most, (gender, enough) => {
    const found: number[] = []
    for (const cell of cells) {
      const kind = index.kinds[kindOf(index, cell, gender) ?? -1]
      if (kind) found.push(...chooseOrAll(search, kind, perCell, share - found.length))
      if (found.length >= enough) break
    }
    return found
  })
}

function gatherAnywhere(search: Search): number[] {
  return searchGendersInTurn(search, search.anywhere, (gender, enough) =>
    choose(search, search.index.anywhere[genderBits.indexOf(gender as 1)]!, search.anywhere).slice(0, enough),
  )
}

function stampAll(index: PeopleIndex, places: ArrayLike<number>, stamp: number): void {
  for (let position = 0; position < places.length; position++) index.stamps[places[position]!] = stamp
}

/**
 * Returns the places of the people who fit both ways and aren't kept apart from the searcher: first those who like
 * them, then cell by cell, then anywhere, each person once. Finds the same people as the search in the database.
 */
export function searchIndex(index: PeopleIndex, me: IndexSearcher, relations: Relations, extent: Extent): number[] {
  const search = { ...extent, index, me, tentative: nextStamp(index), stamp: nextStamp(index) }
  stampAll(index, relations.apart, search.stamp)
  stampAll(index, relations.decided, search.stamp)
  const own = placeOf(index.ids, me.id)
  if (own >= 0) index.stamps[own] = search.stamp
  const received: number[] = []
  const all = { from: 0, to: relations.likers.length }
  gather(search, relations.likers, all, extent.received, received, search.stamp)
  const near = gatherNear(search)
  const goesOn = me.reach === anyDistance && near.length < extent.most
  return [...received, ...near, ...(goesOn ? gatherAnywhere(search) : [])].slice(0, extent.most)
}
