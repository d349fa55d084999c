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

export interface IndexSearcher {
  id: Uint32Array
  latitude: number
  longitude: number
  gender: number
  seeks: number
  years: number
  /** The accepted range of birth dates in days since 1970: after `bornAfter`, up to and including `bornUntil`. */
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

/** The distance between two cell centres in km, computed like the database function `centre_distance_km`. */
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

/** Whether a candidate passes the searcher's filters, like `fitsMe` in SQL. */
function fitsMe(me: IndexSearcher, index: PeopleIndex, place: number): boolean {
  return (
    (index.gender[place]! & me.seeks) !== 0 &&
    fitsAges(me, index, place) &&
    (index.traits[place]! & me.refuses) === 0 &&
    speaks(me.needsLanguages, index.languages[place]!) &&
    isBetween(index.height[place]!, me.heightMin, me.heightMax)
  )
}

/** Whether the searcher passes a candidate's filters, like `fitsThem` in SQL. */
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

/** Whether a visible person fits both ways, like `fitsBothWays` in SQL. A test compares the two. */
function fits(me: IndexSearcher, index: PeopleIndex, place: number): boolean {
  return fitsMe(me, index, place) && fitsThem(me, index, place) && acceptsDistance(me, index, place)
}

export interface Extent {
  day: number
  chance: Chance
  /** Wide cells, nearest first. */
  cells: readonly string[]
  perCell: number
  most: number
  anywhere: number
  received: number
}

/** The places (see IdTable) of the people a searcher must not find, and of those who like the searcher. */
export interface Relations {
  decided: ArrayLike<number>
  apart: ArrayLike<number>
  likers: ArrayLike<number>
}

interface Search extends Extent {
  index: PeopleIndex
  me: IndexSearcher
  /** Marks people who have been found already or must not be found. */
  stamp: number
  /** Marks people who are found unless they lose their slot to newcomers or to people who were active earlier. */
  tentative: number
}

const lastDay = 65_535

interface Stretch {
  from: number
  to: number
  arrivedUntil?: number
}

/** Adds people who fit from a range of `places` to `found` and marks them, until `found` has `most` entries. */
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
    // The check that rejects most people comes first, because each additional column costs a cache miss.
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

/** Adds people who fit from a group, day by day. Each day starts at the viewer's point on the circle. */
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
 * Finds up to `most` people of a kind, the most recently active first. If more fit, some slots go to newcomers and to
 * people who were active on any earlier day.
 */
function choose(search: Search, { active, arrived }: PeopleByDay, most: number): number[] {
  const { index, day, chance, stamp, tentative } = search
  const latest: number[] = []
  walk(search, active, {}, most, latest, tentative)
  const chosen: number[] = []
  if (latest.length === most) {
    const newFrom = day - newDays
    walk(search, arrived, { downTo: newFrom }, kept.newcomers, chosen, stamp)
    // Picks a random person and uses their day, so that everyone has the same chance, whenever they were last active.
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

/** In kinds up to this size, people are first read in any order, because usually all who fit can be returned. */
const smallKind = 1_000

/** Like `choose`, but returns all people who fit, in any order, if they are fewer than `room`. */
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

/** Searches the rarest genders first, to know how many results the others may fill, then merges the genders in turn. */
function searchGendersInTurn({ me }: Search, most: number, find: (gender: number, most: number) => number[]): number[] {
  const lists: number[][] = []
  for (const gender of genderBits.toReversed())
    if ((gender & me.seeks) !== 0) lists.unshift(find(gender, mostBeside(lists, most)))
  return takeTurns(lists, most)
}

function gatherNear(search: Search): number[] {
  const { index, me, cells, perCell, most } = search
  // Each gender may fill its share, however many people of the other genders are found.
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
 * Returns the places of people who fit both ways and aren't separated from the searcher: first those who like the
 * searcher, then cell by cell, then at any distance; each person once. Finds the same people as the search in the
 * database.
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
