import { randomUUID } from 'node:crypto'
import { interestIds } from '@duet/contract/catalogue.ts'
import {
  childrenWishes,
  diets,
  distanceFilters,
  frequencies,
  genders,
  intents,
  languages,
} from '@duet/contract/limits.ts'
import type { Preferences } from '@duet/contract/profiles.ts'
import fc from 'fast-check'
import { cellToLatLng, cellToParent, greatCircleDistance, latLngToCell, UNITS } from 'h3-js'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { shownAge } from '../../platform/age.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { standstillMs } from '../../test/standstill.ts'
import { centreOf } from '../cells/cells.ts'
import { getDeck } from '../discovery/deck.ts'
import { measurePool, stepOf } from '../discovery/pool.ts'
import { decide } from '../likes/likes.ts'
import type { Candidate } from '../matching/traits.ts'
import { getSearcher, likableAmong, poolOf, searchCandidates, searchDatabase, searcherOf } from './candidates.ts'
import { currentIndex } from './keep-index.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

interface Someone {
  id: string
  birthDate: string
  gender: (typeof genders)[number] | null
  interestedIn: (typeof genders)[number][]
  ageMin: number
  ageMax: number
  maxDistanceKm: (typeof distanceFilters)[number] | null
  intents: (typeof intents)[number][]
  children: (typeof childrenWishes)[number] | null
  smoking: (typeof frequencies)[number] | null
  drinking: (typeof frequencies)[number] | null
  diet: (typeof diets)[number] | null
  languages: (typeof languages)[number][]
  heightCm: number | null
  preferences: Preferences
  at: { latitude: number; longitude: number }
  hidden: boolean
  paused: boolean
  incognito: boolean
  hideDistance: boolean
  hidePresence: boolean
}

const some = <T>(values: readonly T[], max = 3) => fc.uniqueArray(fc.constantFrom(...values), { maxLength: max })
const maybe = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: null })
const wish = <T>(values: readonly T[]) => fc.record({ accepts: some(values), dealbreaker: fc.boolean() })

const someone: fc.Arbitrary<Someone> = fc
  .record({
    id: fc.constant('').map(() => randomUUID()),
    birthDate: fc
      .oneof(
        { weight: 6, arbitrary: fc.integer({ min: 1960, max: 2006 }) },
        { weight: 1, arbitrary: fc.constant(1915) },
      )
      .map((year) => `${year}-06-15`),
    gender: maybe(genders),
    interestedIn: some(genders),
    ageMin: fc.integer({ min: 18, max: 40 }),
    years: fc.oneof(fc.integer({ min: 10, max: 60 }), fc.constant(81)),
    maxDistanceKm: fc.option(fc.constantFrom(...distanceFilters), { nil: null }),
    intents: some(intents),
    children: maybe(childrenWishes),
    smoking: maybe(frequencies),
    drinking: maybe(frequencies),
    diet: maybe(diets),
    languages: some(languages.slice(0, 6)),
    heightCm: fc.option(fc.integer({ min: 140, max: 210 }), { nil: null }),
    preferences: fc.oneof(
      { weight: 2, arbitrary: fc.constant({}) },
      {
        weight: 1,
        arbitrary: fc.record(
          {
            intents: wish(intents),
            children: wish(childrenWishes),
            smoking: wish(frequencies),
            drinking: wish(frequencies),
            diet: wish(diets),
            languages: wish(languages.slice(0, 6)),
            height: fc.record({
              min: fc.integer({ min: 130, max: 170 }),
              max: fc.integer({ min: 171, max: 220 }),
              dealbreaker: fc.boolean(),
            }),
          },
          { requiredKeys: [] },
        ),
      },
    ),
    km: fc.double({ min: 0, max: 140, noNaN: true }),
    direction: fc.double({ min: 0, max: 6.28, noNaN: true }),
    hidden: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    paused: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    incognito: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
    hideDistance: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
    hidePresence: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
  })
  .map(({ years, km, direction, ...rest }) => ({
    ...rest,
    ageMax: Math.min(99, rest.ageMin + years),
    at: { latitude: (km * Math.cos(direction)) / 111.2, longitude: 20 + (km * Math.sin(direction)) / 111.2 },
  }))

async function keep(people: Someone[]): Promise<void> {
  const { pool } = app.platform
  await pool.query('delete from accounts')
  for (const one of people) {
    const { latitude, longitude, cell } = centreOf(latLngToCell(one.at.latitude, one.at.longitude, 7))
    await pool.query(
      `with a as (insert into accounts (id, email, terms_accepted_at, created_at) values ($1, $2, now(), now()))
      insert into profiles (user_id, name, birth_date, gender, interested_in, age_min, age_max, max_distance_km, intents, children,
        smoking, drinking, diet, languages, height_cm, preferences, hidden, paused, incognito, hide_distance,
        hide_presence, last_active_at, created_at)
      values ($1, 'Jun', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, now(), now())`,
      [
        ...[one.id, `${one.id}@example.com`, one.birthDate, one.gender, one.interestedIn, one.ageMin, one.ageMax],
        ...[one.maxDistanceKm, one.intents, one.children, one.smoking, one.drinking, one.diet, one.languages],
        ...[one.heightCm, JSON.stringify(one.preferences), one.hidden, one.paused, one.incognito],
        ...[one.hideDistance, one.hidePresence],
      ],
    )
    await pool.query(
      `insert into locations (user_id, cell, published_cell, latitude, longitude, area, wide_latitude, wide_longitude, published_at)
      values ($1, $2, $2, $3, $4, 'Somewhere', $5, $6, now())`,
      [one.id, cell, latitude, longitude, ...cellToLatLng(cellToParent(cell, 5))],
    )
  }
}

async function like(likers: readonly string[], targetId: string): Promise<void> {
  await app.platform.pool.query(
    `insert into decisions (actor_id, target_id, decision, decided_at)
    select id, $2, 'like', now() from unnest($1::uuid[]) id on conflict do nothing`,
    [likers, targetId],
  )
}

// A second implementation of the rules, with sets and plain numbers and for one direction only.
function accepts(one: Someone, other: Someone, km: number): boolean {
  const age = shownAge(other.birthDate, app.clock.now())
  const { preferences: wishes } = one
  const single = (['children', 'smoking', 'drinking', 'diet'] as const).every((item) => {
    const wanted = wishes[item]
    const said = other[item]
    return (
      !wanted?.dealbreaker || wanted.accepts.length === 0 || said === null || wanted.accepts.includes(said as never)
    )
  })
  const several = (['intents', 'languages'] as const).every((item) => {
    const wanted = wishes[item]
    const said: readonly string[] = other[item]
    return (
      !wanted?.dealbreaker ||
      wanted.accepts.length === 0 ||
      said.length === 0 ||
      wanted.accepts.some((value) => said.includes(value))
    )
  })
  const { height } = wishes
  const tall =
    !height?.dealbreaker || other.heightCm === null || (other.heightCm >= height.min && other.heightCm <= height.max)
  const bucket = [2, 5, 10, 25, 50, 100].find((bound) => km < bound) ?? 1e9
  return (
    (one.interestedIn.length === 0 || (other.gender !== null && one.interestedIn.includes(other.gender))) &&
    age >= one.ageMin &&
    (age <= one.ageMax || one.ageMax === 99) &&
    (one.maxDistanceKm === null || bucket <= one.maxDistanceKm) &&
    single &&
    several &&
    tall
  )
}

function fit(one: Someone, other: Someone, likers: readonly string[]): boolean {
  const placeOf = ({ at, hideDistance }: Someone) => {
    const cell = latLngToCell(at.latitude, at.longitude, 7)
    return centreOf(hideDistance ? cellToParent(cell, 5) : cell)
  }
  const [a, b] = [placeOf(one), placeOf(other)]
  if (one.id === other.id || other.hidden || other.paused) return false
  if (other.incognito && !likers.includes(other.id)) return false
  const km = greatCircleDistance([a.latitude, a.longitude], [b.latitude, b.longitude], UNITS.km)
  return accepts(one, other, km) && accepts(other, one, km)
}

const ids = (people: { id: string }[]) => people.map(({ id }) => id).sort()
/** Search results without tallies, because the index updates tallies only every few seconds. */
const described = (candidates: Candidate[]) =>
  candidates
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .map(({ a: _a, b: _b, pending: _pending, impressions: _impressions, ...rest }) => rest)
const hooks = { onOpened: () => undefined, onDecided: () => undefined }

describe('random populations', () => {
  it('the search finds exactly the people who fit both ways, and every card of a deck can be liked', {
    tags: 'long',
  }, async () => {
    await vi.waitFor(() => expect(currentIndex(app.platform)).toBeDefined(), standstillMs)
    await fc.assert(
      fc.asyncProperty(fc.array(someone, { minLength: 40, maxLength: 60 }), async (people) => {
        await keep(people)
        const liked = new Map<string, string[]>()
        for (const viewer of people.slice(0, 12)) {
          const likers = [...people.slice(20, 30).map(({ id }) => id), ...(liked.get(viewer.id) ?? [])]
          await like(likers, viewer.id)
          const fitting = people.filter((other) => fit(viewer, other, likers))
          const searcher = await getSearcher(app.platform, viewer.id)
          const found = (await searchCandidates(app.platform, searcher, likers)) ?? []
          expect(ids(found)).toEqual(ids(fitting))
          const liking = found.filter(({ likesViewer }) => likesViewer)
          expect(ids(found.slice(0, liking.length))).toEqual(ids(liking))
          const inDatabase = (await searchDatabase(app.platform, searcher, likers)) ?? []
          expect(described(found)).toEqual(described(inDatabase))
          const { both } = await poolOf(app.platform, searcher)
          expect(both).toBe(fitting.length)
          const visible = !viewer.hidden && !viewer.paused
          const likable = await likableAmong(app.platform, searcher, ids(people))
          expect([...likable].sort()).toEqual(visible ? ids(fitting) : [])
          const { cards, state } = await getDeck(app.platform, viewer.id, 10)
          expect(cards.length).toBe(visible ? Math.min(10, fitting.length) : 0)
          const some = visible ? 'ready' : 'seen_all'
          expect(state).toBe(viewer.paused ? 'paused' : fitting.length > 0 ? some : 'nobody_fits')
          for (const card of cards) {
            expect(fitting.map(({ id }) => id)).toContain(card.id)
            expect(card.canLike).toBe(true)
            const { decision } = await decide(app.platform, viewer.id, card.id, { decision: 'like' }, hooks)
            expect(decision).toBe('like')
            liked.set(card.id, [...(liked.get(card.id) ?? []), viewer.id])
          }
        }
      }),
      { numRuns: 4, endOnFailure: true },
    )
    expect(currentIndex(app.platform)).toBeDefined()
  })

  it('filters that are being tried out give the same counts as saved ones', { tags: 'long' }, async () => {
    const [viewer, ...others] = fc.sample(someone, { numRuns: 60, seed: 7 }) as [Someone, ...Someone[]]
    await keep([{ ...viewer, hidden: false, paused: false }, ...others])
    const tries = fc.sample(someone, { numRuns: 15, seed: 8 })
    for (const { ageMin, ageMax, interestedIn, maxDistanceKm, preferences } of tries) {
      const tried = { ageMin, ageMax, interestedIn, maxDistanceKm, preferences }
      const expected = others.filter((other) => fit({ ...viewer, ...tried }, other, [])).length
      const { both } = await poolOf(app.platform, await searcherOf(app.platform, viewer.id, tried))
      expect(both).toBe(expected)
      const { both: step, wideners } = await measurePool(app.platform, viewer.id, tried)
      expect(step).toBe(stepOf(expected))
      for (const { adds, changes } of wideners) {
        const wider = others.filter((other) => fit({ ...viewer, ...tried, ...(changes as object) }, other, [])).length
        expect(adds).toBe(stepOf(wider - expected))
      }
    }
  })
})

describe('bit masks in the database', () => {
  const query = async (text: string, values: unknown[]) =>
    Object.values((await app.platform.pool.query(text, values)).rows[0])[0] as number

  it("the masks follow the order of the contract's catalogue", async () => {
    for (const [n, id] of languages.entries())
      expect(await query('select language_bits($1)', [[id]])).toBe((1 << n) | 0)
    for (const [n, id] of genders.entries()) expect(await query('select gender_bits($1)', [[id]])).toBe(1 << n)
    for (const [n, id] of interestIds.entries()) {
      expect(await query('select interest_bits($1, 1)', [[id]])).toBe(n < 30 ? 1 << n : 0)
      expect(await query('select interest_bits($1, 31)', [[id]])).toBe(n < 30 ? 0 : 1 << (n - 30))
    }
    const facts = {
      children: [childrenWishes, 15],
      smoking: [frequencies, 20],
      drinking: [frequencies, 23],
      diet: [diets, 26],
    } as const
    for (const [item, [values, from]] of Object.entries(facts))
      for (const [n, value] of values.entries()) {
        const said = ['children', 'smoking', 'drinking', 'diet'].map((one) => (one === item ? value : null))
        const bits = await query("select trait_bits('{}', $1, $2, $3, $4)", said)
        expect(bits).toBe((1 << (from + n)) | 0)
      }
    for (let set = 1; set < 16; set++) {
      const chosen = intents.filter((_, n) => (set >> n) & 1)
      expect(await query('select trait_bits($1, null, null, null, null)', [chosen])).toBe(1 << (set - 1))
    }
  })
})
