import { placeOf } from './id-table.ts'
import { anyDistance, genderBits, groupOf, nextStamp, type PeopleIndex } from './people-index.ts'

/** A searcher, as the function `searcher` of the database says: the filters and what others filter by. */
export interface Searcher {
  id: Uint32Array
  latitude: number
  longitude: number
  gender: number
  seeks: number
  years: number
  /** Days since 1970: born after the one, and not after the other. */
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

/** Kilometres between two centres, as the function `centre_distance_km` of the database says. */
export function kmTo({ latitude, longitude }: Searcher, index: PeopleIndex, place: number): number {
  const north = Math.sin(((index.latitude[place]! - latitude) * radians) / 2)
  const east = Math.sin(((index.longitude[place]! - longitude) * radians) / 2)
  const across = Math.cos(latitude * radians) * Math.cos(index.latitude[place]! * radians)
  return 2 * 6371.0088 * Math.asin(Math.min(1, Math.sqrt(north * north + across * east * east)))
}

function acceptsDistance(me: Searcher, index: PeopleIndex, place: number): boolean {
  const reach = Math.min(me.reach, index.reach[place]!)
  if (reach === anyDistance) return true
  return Math.abs(index.latitude[place]! - me.latitude) * 111 < reach && kmTo(me, index, place) < reach
}

const speaks = (needs: number, languages: number) => needs === 0 || languages === 0 || (needs & languages) !== 0
const isBetween = (height: number, least: number, most: number) => height === 0 || (height >= least && height <= most)

/** The filters of the searcher: `fitsMe` of the queries. */
function fitsMe(me: Searcher, index: PeopleIndex, place: number): boolean {
  const birth = index.birth[place]!
  return (
    (index.gender[place]! & me.seeks) !== 0 &&
    birth > me.bornAfter &&
    birth <= me.bornUntil &&
    (index.traits[place]! & me.refuses) === 0 &&
    speaks(me.needsLanguages, index.languages[place]!) &&
    isBetween(index.height[place]!, me.heightMin, me.heightMax)
  )
}

/** The filters of the candidate: `fitsThem` of the queries. */
function fitsThem(me: Searcher, index: PeopleIndex, place: number): boolean {
  return (
    (index.seeks[place]! & me.gender) !== 0 &&
    me.years >= index.ageMin[place]! &&
    me.years <= index.ageMax[place]! &&
    (index.refuses[place]! & me.traits) === 0 &&
    speaks(index.needsLanguages[place]!, me.languages) &&
    isBetween(me.height, index.heightMin[place]!, index.heightMax[place]!)
  )
}

/**
 * Whether somebody who can be seen fits both ways: `fitsBothWays` of the queries in memory. A test holds the two to each
 * other.
 */
function fits(me: Searcher, index: PeopleIndex, place: number): boolean {
  return fitsMe(me, index, place) && fitsThem(me, index, place) && acceptsDistance(me, index, place)
}

/** What a search may cost, and where it looks. */
export interface Extent {
  /** Wide cells from near to far. */
  cells: readonly string[]
  perCell: number
  most: number
  anywhere: number
}

/** Whom the searcher must not see, and who like them, as places. */
export interface Relations {
  decided: ArrayLike<number>
  apart: ArrayLike<number>
  likers: ArrayLike<number>
}

interface Search {
  index: PeopleIndex
  me: Searcher
  /** What marks those who are found already or must not be. */
  stamp: number
}

/** Adds to `found` whoever of `places` fits, until `most` were added; returns how many were. */
function gather(search: Search, places: ArrayLike<number>, count: number, most: number, found: number[]): number {
  const { index, me, stamp } = search
  let added = 0
  for (let position = 0; position < count && added < most; position++) {
    const place = places[position]!
    if (index.stamps[place] === stamp || index.group[place]! < 0 || !fits(me, index, place)) continue
    found.push(place)
    added++
  }
  return added
}

function gatherNear(search: Search, { cells, perCell, most }: Extent, found: number[]): number {
  const { index, me } = search
  let near = 0
  for (const cell of cells)
    for (const gender of genderBits) {
      if ((gender & me.seeks) === 0) continue
      const group = index.groups[groupOf(index, cell, gender) ?? -1]
      if (group) near += gather(search, group.places, group.count, Math.min(perCell, most - near), found)
      if (near >= most) return near
    }
  return near
}

function gatherAnywhere(search: Search, most: number, found: number[]): void {
  let far = 0
  for (const [place, gender] of genderBits.entries()) {
    const group = search.index.anywhere[place]!
    if ((gender & search.me.seeks) !== 0) far += gather(search, group.places, group.count, most - far, found)
  }
}

function stampAll(index: PeopleIndex, places: ArrayLike<number>, stamp: number): void {
  for (let position = 0; position < places.length; position++) index.stamps[places[position]!] = stamp
}

/**
 * The places of those who fit both ways and whom nothing keeps apart from the searcher: first who like them, then cell by
 * cell, then anywhere; the same bounds as the search in the database.
 */
export function searchIndex(index: PeopleIndex, me: Searcher, relations: Relations, extent: Extent): number[] {
  const search = { index, me, stamp: nextStamp(index) }
  stampAll(index, relations.apart, search.stamp)
  stampAll(index, relations.decided, search.stamp)
  const own = placeOf(index.ids, me.id)
  if (own >= 0) index.stamps[own] = search.stamp
  const received: number[] = []
  gather(search, relations.likers, relations.likers.length, relations.likers.length, received)
  const others: number[] = []
  const near = gatherNear(search, extent, others)
  // Who is found nearby is not found again anywhere, and who likes the viewer comes first.
  if (me.reach === anyDistance && near < extent.most) gatherAnywhere(search, extent.anywhere, others)
  return [...new Set([...received, ...others])].slice(0, extent.most)
}
