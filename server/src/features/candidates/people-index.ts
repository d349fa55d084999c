import { createIdTable, type IdTable, placeFor, placeOf, readId } from './id-table.ts'

/** People of one kind, those first who were here last. */
export interface Group {
  places: Uint32Array
  count: number
}

/**
 * The table `candidates` in memory, with what ranking knows of everybody: a typed array for each column, a person's
 * place in all of them for as long as the index lives. Days count from 1970. Never the truth: what is read here is
 * checked in the database before anybody sees it.
 */
export interface PeopleIndex extends Columns {
  ids: IdTable
  capacity: number
  /** Wide cells by their number, in decimal as the database writes it. */
  cells: Map<string, number>
  /** By cell and gender. */
  groups: (Group | undefined)[]
  /** Those who accept any distance, by gender. */
  anywhere: Group[]
  /** While people are read for the first time, `anywhere` is not yet in order. */
  isLoading: boolean
  /** Marks of one search; see `nextStamp`. */
  stamps: Uint16Array
  stamp: number
}

const columnsOf = (n: number) => ({
  /** The group of somebody who can be seen, -1 for others. */
  group: new Int32Array(n).fill(-1),
  latitude: new Float64Array(n),
  longitude: new Float64Array(n),
  gender: new Uint8Array(n),
  seeks: new Uint8Array(n),
  birth: new Int16Array(n),
  ageMin: new Uint8Array(n),
  ageMax: new Uint8Array(n),
  reach: new Int16Array(n),
  traits: new Int32Array(n),
  refuses: new Int32Array(n),
  avoids: new Int32Array(n),
  languages: new Int32Array(n),
  needsLanguages: new Int32Array(n),
  height: new Int16Array(n),
  heightMin: new Int16Array(n),
  heightMax: new Int16Array(n),
  interests1: new Int32Array(n),
  interests2: new Int32Array(n),
  activeOn: new Uint16Array(n),
  since: new Uint16Array(n),
  saysYes: new Float32Array(n),
  isLiked: new Float32Array(n),
  pending: new Float32Array(n),
  /** Seconds. */
  pendingAt: new Float64Array(n),
  impressions: new Int32Array(n),
})
type Columns = ReturnType<typeof columnsOf>

/** The limit of whoever accepts any distance. */
export const anyDistance = 32_767
/** Bits of genders; 8 has not said. */
export const genderBits = [1, 2, 4, 8] as const
/** Beside the gender of whoever is incognito. They make groups of their own, which no search walks through. */
const incognitoBit = 16
const kinds = [...genderBits, incognitoBit]

const emptyGroup = (): Group => ({ places: new Uint32Array(4), count: 0 })

/** An index without people, with room for `capacity`. */
export function createPeopleIndex(capacity: number): PeopleIndex {
  return {
    ...columnsOf(capacity),
    ids: createIdTable(capacity),
    capacity,
    cells: new Map(),
    groups: [],
    anywhere: kinds.map(emptyGroup),
    isLoading: true,
    stamps: new Uint16Array(capacity),
    stamp: 0,
  }
}

/** A mark that no place bears yet. */
export function nextStamp(index: PeopleIndex): number {
  if (index.stamp === 65_535) {
    index.stamps.fill(0)
    index.stamp = 0
  }
  return ++index.stamp
}

const genderPlace = (gender: number) => 31 - Math.clz32(gender)

/** The number of the group of a cell and a gender (a bit); undefined where nobody ever was. */
export function groupOf({ cells }: PeopleIndex, cell: string, gender: number): number | undefined {
  const number = cells.get(cell)
  return number === undefined ? undefined : number * kinds.length + genderPlace(gender)
}

function groupFor(index: PeopleIndex, cell: string, gender: number): number {
  if (!index.cells.has(cell)) index.cells.set(cell, index.cells.size)
  const number = groupOf(index, cell, gender) as number
  index.groups[number] ??= emptyGroup()
  return number
}

/** Where in a group a place is or belongs: whoever was here later first, then the lower place. */
function positionIn({ activeOn }: PeopleIndex, { places, count }: Group, place: number): number {
  const day = activeOn[place]!
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >>> 1
    const other = places[middle]!
    const isBefore = activeOn[other]! > day || (activeOn[other] === day && other < place)
    if (isBefore) low = middle + 1
    else high = middle
  }
  return low
}

function enter(index: PeopleIndex, group: Group, place: number, position = positionIn(index, group, place)): void {
  if (group.count === group.places.length) {
    const wider = new Uint32Array(group.count * 2)
    wider.set(group.places)
    group.places = wider
  }
  group.places.copyWithin(position + 1, position, group.count++)
  group.places[position] = place
}

function leave(index: PeopleIndex, group: Group, place: number): void {
  const position = positionIn(index, group, place)
  group.places.copyWithin(position, position + 1, group.count--)
}

function removeAt(index: PeopleIndex, place: number): void {
  const group = index.group[place]!
  if (group < 0) return
  leave(index, index.groups[group]!, place)
  if (index.reach[place] === anyDistance) leave(index, index.anywhere[genderPlace(index.gender[place]!)]!, place)
  index.group[place] = -1
}

const words = new Uint32Array(4)

/** Takes somebody out who cannot be seen any more. */
export function removePerson(index: PeopleIndex, id: string): void {
  const place = placeOf(index.ids, readId(id, words))
  if (place >= 0) removeAt(index, place)
}

/** Columns as the database writes them, in the order of the queries: an id, then the others. */
export type TextRow = readonly (string | null)[]

// Written out column by column: a loop over their names takes three times as long, and a million people are read at once.
function setPerson(index: PeopleIndex, place: number, row: TextRow): void {
  index.latitude[place] = Number(row[2])
  index.longitude[place] = Number(row[3])
  index.gender[place] = Number(row[4])
  index.seeks[place] = Number(row[5])
  index.birth[place] = Number(row[6])
  index.ageMin[place] = Number(row[7])
  index.ageMax[place] = Number(row[8])
  index.reach[place] = Number(row[9])
  index.traits[place] = Number(row[10])
  index.refuses[place] = Number(row[11])
  index.avoids[place] = Number(row[12])
  index.languages[place] = Number(row[13])
  index.needsLanguages[place] = Number(row[14])
  index.height[place] = Number(row[15])
  index.heightMin[place] = Number(row[16])
  index.heightMax[place] = Number(row[17])
  index.interests1[place] = Number(row[18])
  index.interests2[place] = Number(row[19])
  index.activeOn[place] = Number(row[20])
  index.since[place] = Number(row[21])
}
const standingFrom = 22

function setStanding(index: PeopleIndex, place: number, row: TextRow, from: number): void {
  index.saysYes[place] = Number(row[from])
  index.isLiked[place] = Number(row[from + 1])
  index.pending[place] = Number(row[from + 2])
  index.pendingAt[place] = Number(row[from + 3])
  index.impressions[place] = Number(row[from + 4])
}

/** Puts somebody in, or in the place of what was known of them; with their standing when the row goes on. False without room. */
export function putPerson(index: PeopleIndex, row: TextRow): boolean {
  const place = placeFor(index.ids, readId(row[0] as string, words))
  if (place < 0) return false
  removeAt(index, place)
  setPerson(index, place, row)
  if (row.length > standingFrom) setStanding(index, place, row, standingFrom)
  const gender = index.gender[place]!
  const group = groupFor(index, row[1] as string, gender)
  index.group[place] = group
  enter(index, index.groups[group]!, place)
  if (index.reach[place] === anyDistance) {
    const far = index.anywhere[genderPlace(gender)]!
    enter(index, far, place, index.isLoading ? far.count : undefined)
  }
  return true
}

/** Keeps what ranking knows of somebody, when they are there. */
export function putStanding(index: PeopleIndex, row: TextRow): void {
  const place = placeOf(index.ids, readId(row[0] as string, words))
  if (place >= 0) setStanding(index, place, row, 1)
}

/** Ends loading: everything is in order from here on. */
export function finishLoading(index: PeopleIndex): void {
  for (const group of index.anywhere) {
    // One number each, so that they sort natively: the day, later first, then the place.
    const keys = Float64Array.from(group.places.subarray(0, group.count), (place) => {
      return (65_535 - index.activeOn[place]!) * 2 ** 32 + place
    }).sort()
    for (let position = 0; position < keys.length; position++) group.places[position] = keys[position]! % 2 ** 32
  }
  index.isLoading = false
}
