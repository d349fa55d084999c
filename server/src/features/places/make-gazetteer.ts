import { by } from '@duet/contract/order.ts'
import { encodeGazetteer, type GazetteerFile, type Texts } from './gazetteer-file.ts'
import { placeKey, withoutUmlauts } from './place-keys.ts'
import { otherCountryNames, otherPlaceNames } from './spoken-names.ts'

export interface Sources {
  places: string
  /** "US.TX" is Texas. */
  states: readonly { code: string; name: string }[]
  /** The names of each time zone's city in many languages (CLDR), the English one first. */
  cities: Readonly<Record<string, readonly string[]>>
  inOtherWriting: (name: string) => readonly string[]
}

interface Row {
  id: number
  name: string
  asciiName: string
  otherNames: string[]
  latitude: number
  longitude: number
  country: string
  region: string
  population: number
  zone: string
}

// Names in the sources may contain markup, pronunciations, years ("[a. 832]") and repetitions ("Vizantija
// (Vizantija)").
function isClean(name: string): boolean {
  const [one, other] = name.split(' (')
  return name !== '' && !/[<>[\]ˈ=;|]|:\/\//.test(name) && other !== `${one})`
}
// GeoNames' alternative names include lower-case machine transliterations ("bnglwr") and airport codes.
const isWritten = (name: string) => isClean(name) && !/^[a-z]|^[A-Z]{3}$/.test(name)
/** Removes CLDR's markup, and additions that distinguish a city from its country, as in "Meksyk (miasto)". */
const withoutRemarks = (city: string) => city.replace(/<[^<>]*>| ?\([^()]*\)/g, '')

// In inhabitants. People search for smaller places by their own names only.
const leastWithOtherNames = 1_000

/** Parses a line of GeoNames' table. Returns undefined for sections of a town (`PPLX`). */
function rowOf(line: string): Row | undefined {
  const fields = line.split('\t')
  const [id, name = '', asciiName = '', others = '', latitude, longitude, , kind, country = '', , region = ''] = fields
  const population = Number(fields[14])
  if (!id || kind === 'PPLX') return undefined
  return {
    ...{ id: Number(id), name, asciiName, country, region: `${country}.${region}`, population },
    otherNames: population < leastWithOtherNames ? [] : others.split(',').filter(isWritten),
    latitude: Number(latitude),
    longitude: Number(longitude),
    zone: fields[17] ?? '',
  }
}

const ownKeys = ({ name, asciiName }: Row) => new Set([name, asciiName, withoutUmlauts(name)].map(placeKey))

/** Adds CLDR's names and both forms of Chinese names, and drops alternative names that fold to the place's own name. */
function complete(rows: readonly Row[], { cities, inOtherWriting }: Sources): void {
  const cleaned = (names: readonly string[]) => names.map(withoutRemarks).filter(isClean)
  const open = new Map(Object.entries(cities).map(([zone, names]) => [zone, cleaned(names)]))
  for (const row of rows) {
    const own = ownKeys(row)
    const named = open.get(row.zone)
    const isNamed = named && [row.name, ...row.otherNames].some((name) => placeKey(name) === placeKey(named[0] ?? ''))
    if (isNamed) open.delete(row.zone)
    const names = [...row.otherNames, ...(otherPlaceNames[row.id] ?? []), ...(isNamed ? named : [])]
    const all = names.flatMap((name) => (/\p{sc=Han}/u.test(name) ? [name, ...inOtherWriting(name)] : name))
    row.otherNames = [...new Set(all)].filter((name) => !own.has(placeKey(name)))
  }
}

function textsOf(texts: readonly string[]): Texts {
  const parts = texts.map((text) => Buffer.from(text))
  const starts = new Uint32Array(parts.length + 1)
  for (const [index, { length }] of parts.entries()) starts[index + 1] = (starts[index] ?? 0) + length
  return { bytes: Buffer.concat(parts), starts }
}

function keysOf(rows: readonly Row[]): Pick<GazetteerFile, 'keys' | 'placesOfKeys'> {
  const entries = rows.flatMap((row, place) => {
    const own = ownKeys(row)
    const others = new Set(row.otherNames.flatMap((other) => [other, withoutUmlauts(other)]).map(placeKey))
    return [
      ...[...own].map((key) => ({ key: Buffer.from(key), place: 2 * place })),
      ...[...others].filter((key) => !own.has(key)).map((key) => ({ key: Buffer.from(key), place: 2 * place + 1 })),
    ].filter(({ key }) => key.length > 0)
  })
  // biome-ignore lint/plugin/comparator: by bytes, as places are looked up.
  entries.sort((one, other) => Buffer.compare(one.key, other.key) || one.place - other.place)
  return {
    keys: textsOf(entries.map(({ key }) => key.toString())),
    placesOfKeys: Uint32Array.from(entries, ({ place }) => place),
  }
}

const languages =
  'en es ar de fr it pt nl sv da nb fi is pl cs sk hu ro bg el ru uk be sr hr sl mk sq lt lv et tr az kk uz ky tg mn ka hy he fa ur ps hi bn ta te kn ml mr gu pa ne si th lo km my vi id ms fil ja ko zh zh-Hant sw am ha yo zu af eu ca gl ga cy'.split(
    ' ',
  )

function wideKeys(countries: readonly string[], regions: readonly { code: string; name: string }[]) {
  const inLanguages = (['long', 'short'] as const).flatMap((style) =>
    languages.map((language) => new Intl.DisplayNames(language, { type: 'region', style, fallback: 'none' })),
  )
  const keys = (names: readonly (string | undefined)[]) => [
    ...new Set(names.flatMap((name) => placeKey(name ?? '') || [])),
  ]
  const ofCountry = (code: string) => [
    ...inLanguages.map((names) => names.of(code)),
    ...(otherCountryNames[code] ?? []),
  ]
  return Object.fromEntries([
    ...countries.map((code) => [code, keys(ofCountry(code))]),
    ...regions.map(({ code, name }) => [code, keys([name, ...(otherCountryNames[code] ?? [])])]),
  ])
}

export function makeGazetteer(sources: Sources): Buffer {
  const rows = sources.places.split('\n').flatMap((line) => rowOf(line) ?? [])
  rows.sort(
    by(
      ({ population }) => -population,
      ({ id }) => id,
    ),
  )
  complete(rows, sources)
  const countries = [...new Set(rows.map(({ country }) => country))].sort()
  const regions = [...new Set(rows.map(({ region }) => region))].sort()
  const [countryAt, regionAt] = [countries, regions].map((codes) => new Map(codes.map((code, at) => [code, at])))
  return encodeGazetteer({
    wide: wideKeys(countries, sources.states),
    codes: { countries, regions },
    ids: Uint32Array.from(rows, ({ id }) => id),
    countries: Uint32Array.from(rows, ({ country }) => countryAt?.get(country) ?? 0),
    regions: Uint32Array.from(rows, ({ region }) => regionAt?.get(region) ?? 0),
    populations: Uint32Array.from(rows, ({ population }) => population),
    latitudes: Float32Array.from(rows, ({ latitude }) => latitude),
    longitudes: Float32Array.from(rows, ({ longitude }) => longitude),
    names: textsOf(rows.map(({ name }) => name)),
    otherNames: textsOf(rows.map(({ otherNames }) => otherNames.join('\n'))),
    ...keysOf(rows),
  })
}
