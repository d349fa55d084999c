import { createIdTable, type IdTable, placeFor, placeForMore, placeOf, readId } from './id-table.ts'

/** People ordered by day, latest first; within a day, by their point on the circle (see `pointOf`). */
export interface Group {
  places: Uint32Array
  count: number
  /** The day that people are ordered by, for each place. */
  days: Uint16Array
}

/** People by the day they were last active, and newcomers by the day they joined. */
export interface PeopleByDay {
  active: Group
  arrived: Group
}

/**
 * The table `candidates` in memory, with each person's tally. Has a typed array for each column, indexed by the
 * person's place, which never changes while the index exists. Days count from 1970. The index may be out of date, so
 * results are checked in the database before they are shown.
 */
export interface PeopleIndex extends Columns {
  ids: IdTable
  capacity: number
  /**
   * The distinct locations. They are centres of cells, so there are far fewer than people. Latitude and longitude
   * together form the id.
   */
  spots: IdTable
  /** The locations as numbers: the latitude and longitude of each of `spots` in turn. */
  coordinates: Float64Array
  /** Numbers the wide cells. The keys are their ids in decimal, as the database writes them. */
  cells: Map<string, number>
  /** The people of each kind. A kind is a combination of cell and gender. */
  kinds: (PeopleByDay | undefined)[]
  /** People who accept any distance, by gender. */
  anywhere: PeopleByDay[]
  /** During the first load, people are appended to `anywhere` unsorted. */
  isLoading: boolean
  /** People who joined on this day or later are newcomers. */
  newFrom: number
  /** Mark people during a search; see `nextStamp`. */
  stamps: Uint16Array
  stamp: number
}

const columnsOf = (n: number) => ({
  /** The number of a visible person's kind; -1 for everyone else. */
  kind: new Int32Array(n).fill(-1),
  spot: new Int32Array(n),
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
  /** 1 for people who hide their presence. */
  isQuiet: new Uint8Array(n),
  since: new Uint16Array(n),
  saysYes: new Float32Array(n),
  isLiked: new Float32Array(n),
  pending: new Float32Array(n),
  /** In seconds since 1970. */
  pendingAt: new Uint32Array(n),
  impressions: new Int32Array(n),
})
type Columns = ReturnType<typeof columnsOf>

export const anyDistance = 32_767
/** One bit per gender; 8 stands for no answer. */
export const genderBits = [1, 2, 4, 8] as const
/** Added to the gender of incognito people. They form separate kinds, which no search reads. */
const incognitoBit = 16
const kindBits = [...genderBits, incognitoBit]

const noPlaces = new Uint32Array(0)
const emptyGroup = (days: Uint16Array): Group => ({ places: noPlaces, count: 0, days })
const emptyKind = ({ activeOn, since }: Pick<Columns, 'activeOn' | 'since'>): PeopleByDay => ({
  active: emptyGroup(activeOn),
  arrived: emptyGroup(since),
})

export function createPeopleIndex(capacity: number, newFrom: number): PeopleIndex {
  const columns = columnsOf(capacity)
  const spots = createIdTable(1_024)
  return {
    ...columns,
    ids: createIdTable(capacity),
    capacity,
    spots,
    coordinates: new Float64Array(spots.words.buffer),
    cells: new Map(),
    kinds: [],
    anywhere: kindBits.map(() => emptyKind(columns)),
    isLoading: true,
    newFrom,
    stamps: new Uint16Array(capacity),
    stamp: 0,
  }
}

/** Returns a mark that no place has yet. */
export function nextStamp(index: PeopleIndex): number {
  if (index.stamp === 65_535) {
    index.stamps.fill(0)
    index.stamp = 0
  }
  return ++index.stamp
}

const genderPlace = (gender: number) => 31 - Math.clz32(gender)

/** The number of the kind for a cell and a gender bit; undefined if nobody has ever been in the cell. */
export function kindOf({ cells }: PeopleIndex, cell: string, gender: number): number | undefined {
  const number = cells.get(cell)
  return number === undefined ? undefined : number * kindBits.length + genderPlace(gender)
}

function kindFor(index: PeopleIndex, cell: string, gender: number): number {
  if (!index.cells.has(cell)) index.cells.set(cell, index.cells.size)
  const number = kindOf(index, cell, gender) as number
  index.kinds[number] ??= emptyKind(index)
  return number
}

/** A person's permanent point on a circle of 2 ** 32 points. It is the last part of their id, which is random. */
export const pointOf = ({ ids }: PeopleIndex, place: number): number => ids.words[place * 4 + 3]!

/** Binary search: returns the first position from `low` to `high` for which `isBefore` is false. */
export function firstAfter(low: number, high: number, isBefore: (position: number) => boolean): number {
  let [from, to] = [low, high]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (isBefore(middle)) from = middle + 1
    else to = middle
  }
  return from
}

/** The position of a place in a group, or where to insert it. */
function positionIn(index: PeopleIndex, { places, count, days }: Group, place: number): number {
  const [day, point] = [days[place]!, pointOf(index, place)]
  return firstAfter(0, count, (position) => {
    const other = places[position]!
    if (days[other] !== day) return days[other]! > day
    const otherPoint = pointOf(index, other)
    return otherPoint < point || (otherPoint === point && other < place)
  })
}

function enter(group: Group, place: number, position: number): void {
  if (group.count === group.places.length) {
    const wider = new Uint32Array(Math.max(4, Math.ceil(group.count * 1.25)))
    wider.set(group.places)
    group.places = wider
  }
  group.places.copyWithin(position + 1, position, group.count++)
  group.places[position] = place
}

function forEachGroup(index: PeopleIndex, place: number, act: (group: Group) => void): void {
  const kind = index.kinds[index.kind[place]!]!
  const isNew = index.since[place]! >= index.newFrom
  act(kind.active)
  if (isNew) act(kind.arrived)
  if (index.reach[place] !== anyDistance) return
  const far = index.anywhere[genderPlace(index.gender[place]!)]!
  act(far.active)
  if (isNew) act(far.arrived)
}

function removeAt(index: PeopleIndex, place: number): void {
  if (index.kind[place]! < 0) return
  forEachGroup(index, place, (group) => {
    const position = positionIn(index, group, place)
    group.places.copyWithin(position, position + 1, group.count--)
  })
  index.kind[place] = -1
}

const words = new Uint32Array(4)

export function removePerson(index: PeopleIndex, id: string): void {
  const place = placeOf(index.ids, readId(id, words))
  if (place >= 0) removeAt(index, place)
}

const spot = new Float64Array(2)
const spotWords = new Uint32Array(spot.buffer)

function spotFor(index: PeopleIndex, latitude: number, longitude: number): number {
  spot[0] = latitude
  spot[1] = longitude
  const place = placeForMore(index.spots, spotWords)
  if (index.coordinates.buffer !== index.spots.words.buffer)
    index.coordinates = new Float64Array(index.spots.words.buffer)
  return place
}

/** The columns of a query as text. The first one is an id. */
export type TextRow = readonly (string | null)[]

// Not a loop over the columns, because that takes three times as long, and loading reads a million people.
function setPerson(index: PeopleIndex, place: number, row: TextRow): void {
  index.spot[place] = spotFor(index, Number(row[2]), Number(row[3]))
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
  index.isQuiet[place] = Number(row[22])
}
const tallyFrom = 23

function setTally(index: PeopleIndex, place: number, row: TextRow, from: number): void {
  index.saysYes[place] = Number(row[from])
  index.isLiked[place] = Number(row[from + 1])
  index.pending[place] = Number(row[from + 2])
  index.pendingAt[place] = Number(row[from + 3])
  index.impressions[place] = Number(row[from + 4])
}

/** Adds or replaces a person, and their tally if the row includes it. Returns false if the index is full. */
export function putPerson(index: PeopleIndex, row: TextRow): boolean {
  const place = placeFor(index.ids, readId(row[0] as string, words))
  if (place < 0) return false
  removeAt(index, place)
  setPerson(index, place, row)
  if (row.length > tallyFrom) setTally(index, place, row, tallyFrom)
  index.kind[place] = kindFor(index, row[1] as string, index.gender[place]!)
  forEachGroup(index, place, (group) => {
    const isSortedLater = index.isLoading && index.anywhere.some(({ active }) => active === group)
    enter(group, place, isSortedLater ? group.count : positionIn(index, group, place))
  })
  return true
}

export function putTally(index: PeopleIndex, row: TextRow): void {
  const place = placeOf(index.ids, readId(row[0] as string, words))
  if (place >= 0) setTally(index, place, row, 1)
}

/** Stable counting sort by a 16-bit key. */
function sortBy(places: Uint32Array, keyOf: (place: number) => number): Uint32Array {
  const ends = new Uint32Array(65_536)
  for (const place of places) ends[keyOf(place)]!++
  for (let key = 1; key < ends.length; key++) ends[key]! += ends[key - 1]!
  const sorted = new Uint32Array(places.length)
  for (let position = places.length - 1; position >= 0; position--) {
    const place = places[position]!
    sorted[--ends[keyOf(place)]!] = place
  }
  return sorted
}

/** Completes the first load by sorting `anywhere`. */
export function finishLoading(index: PeopleIndex): void {
  for (const { active } of index.anywhere) {
    const { places, count, days } = active
    const byLowHalf = sortBy(places.subarray(0, count), (place) => pointOf(index, place) & 65_535)
    const byPoint = sortBy(byLowHalf, (place) => pointOf(index, place) >>> 16)
    places.set(sortBy(byPoint, (place) => 65_535 - days[place]!))
  }
  index.isLoading = false
}
