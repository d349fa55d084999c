import type { GazetteerFile } from './gazetteer-file.ts'
import { placeKey } from './place-keys.ts'

export interface Found {
  place: number
  /** The beginning of the place's name, folded. */
  key: string
}

interface Ranked extends Found {
  rank: number
}

interface Search {
  file: GazetteerFile
  limit: number
  wellKnown: number
  best: Ranked[]
}

interface Wanted {
  key: string
  /** Match only names that equal the key, not longer ones. */
  whole?: boolean
  /** The place's country or state: folded names or their beginnings, or codes. */
  within?: readonly string[]
}

function firstAtOrAfter({ keys: { bytes, starts }, placesOfKeys }: GazetteerFile, sought: Buffer): number {
  let low = 0
  let high = placesOfKeys.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (bytes.compare(sought, 0, sought.length, starts[middle], starts[middle + 1]) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * An alternative name ranks below the place's own: people who type "York" rarely mean Warner Robins, which GeoNames
 * also lists as York. Typing the full name of a small place raises its rank, but not above well-known places.
 */
function rankOf({ file, wellKnown }: Search, at: number, isWhole: boolean): number {
  const reference = file.placesOfKeys[at] ?? 0
  const population = file.populations[reference >> 1] ?? 0
  const weight = isWhole ? (population >= wellKnown ? 1_000_000 : 50) : 1
  const isOther = reference % 2 === 1
  return ((population + 1) * weight) / (isOther ? (isWhole ? 40 : 10) : 1)
}

const isBetter = ({ best, limit }: Search, rank: number) => rank > (best[limit - 1]?.rank ?? 0)

/** Inserts a place into the sorted results, which contain each place once and at most `limit` places. */
function enter({ best, limit }: Search, found: Ranked): void {
  const before = best.findIndex(({ place }) => place === found.place)
  if (before >= 0 && (best[before] as Ranked).rank >= found.rank) return
  if (before >= 0) best.splice(before, 1)
  let at = best.length
  while (at > 0 && found.rank > (best[at - 1] as Ranked).rank) at--
  best.splice(at, 0, found)
  if (best.length > limit) best.pop()
}

/**
 * For each region: 1 if every part is a code of the region or its country, or the beginning of one of their names;
 * otherwise 0.
 */
function areaOf({ wide, codes }: GazetteerFile, within: readonly string[]): Uint8Array {
  const parts = within.map((part) => {
    const isMeant = (code: string) =>
      code.slice(code.indexOf('.') + 1).toLowerCase() === part || !!wide[code]?.some((name) => name.startsWith(part))
    return { isMeant, countries: new Set(codes.countries.filter(isMeant)) }
  })
  return Uint8Array.from(codes.regions, (code) => {
    const country = code.slice(0, code.indexOf('.'))
    return Number(parts.every(({ isMeant, countries }) => countries.has(country) || isMeant(code)))
  })
}

// Appended to a key, 0xff sorts after every longer key and 0 before them all. No key contains either byte.
const afterAll = Buffer.of(0xff)
const afterWhole = Buffer.of(0)

function search(searched: Search, { key, whole, within = [] }: Wanted): void {
  const { file } = searched
  // A query of only symbols or accents folds to an empty string, which would match every name.
  if (key === '') return
  const sought = Buffer.from(key)
  const { starts } = file.keys
  const from = firstAtOrAfter(file, sought)
  const end = firstAtOrAfter(file, Buffer.concat([sought, whole ? afterWhole : afterAll]))
  if (from === end) return
  const area = areaOf(file, within)
  if (!area.includes(1)) return
  // One letter matches tens of thousands of keys. The endpoint is public, so the matches are scanned once and never
  // sorted.
  for (let at = from; at < end; at++) {
    const place = (file.placesOfKeys[at] ?? 0) >> 1
    if (area[file.regions[place] ?? 0] === 0) continue
    const rank = rankOf(searched, at, (starts[at + 1] ?? 0) - (starts[at] ?? 0) === sought.length)
    if (isBetter(searched, rank)) enter(searched, { place, key, rank })
  }
}

/** Lists the ways to split a query such as "Springfield Illinois" into a city and its state or country. */
function divisions(query: string): Wanted[] {
  const words = query.split(/[\s-]+/).filter((word) => placeKey(word) !== '')
  return [1, 2, 3, 4].flatMap((count) => {
    const within = placeKey(words.filter((_, at) => at >= words.length - count).join(' '))
    if (count >= words.length || within.length < 2) return []
    return {
      key: placeKey(words.filter((_, at) => at < words.length - count).join(' ')),
      whole: true,
      within: [within],
    }
  })
}

// Suffixes for "city" or "county", which Chinese, Korean and Japanese names may include or leave out.
const ending = /(?<=..)(?:[市县縣]|(?:특별|광역)?시|シティ)$/u

export function findNames(
  file: GazetteerFile,
  query: string,
  { limit, wellKnown }: Pick<Search, 'limit' | 'wellKnown'>,
) {
  const searched: Search = { file, limit, wellKnown, best: [] }
  const [name = '', ...rest] = query.split(/[,،、，]/)
  const within = [...new Set(rest.map(placeKey))].filter((part) => part !== '').slice(0, 2)
  search(searched, { key: placeKey(query) })
  if (within.length > 0) search(searched, { key: placeKey(name), within })
  else for (const division of divisions(query)) search(searched, division)
  if (searched.best.length === 0) search(searched, { key: placeKey(query).replace(ending, '') })
  return searched.best
}
