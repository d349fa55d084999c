import { expect, test } from 'vitest'
import { activeFilters, type Filters, widened, wishOf, withWish } from './filters.ts'

const open: Filters = { interestedIn: ['woman'], ageMin: 18, ageMax: 99, maxDistanceKm: null, preferences: {} }

test('filters that let everyone in are not active, and neither is the choice of genders', () => {
  expect(activeFilters(open)).toEqual([])
})

test('how far a new account looks is no filter that anyone set', () => {
  expect(activeFilters({ ...open, maxDistanceKm: 100 })).toEqual([])
  expect(activeFilters({ ...open, maxDistanceKm: 50 }).map(({ key }) => key)).toEqual(['distance'])
})

test('each active filter knows the filters without it', () => {
  const smoking = { accepts: ['never' as const], dealbreaker: true }
  const height = { min: 160, max: 180, dealbreaker: false }
  const filters: Filters = { ...open, ageMin: 27, maxDistanceKm: 25, preferences: { smoking, height } }
  expect(activeFilters(filters)).toEqual([
    { key: 'ages', without: { ageMin: 18, ageMax: 99 } },
    { key: 'distance', without: { maxDistanceKm: null } },
    { key: 'smoking', without: { preferences: { height } } },
    { key: 'height', without: { preferences: { smoking } } },
  ])
})

test('a wish for nothing in particular is no wish', () => {
  expect(activeFilters({ ...open, preferences: { diet: { accepts: [], dealbreaker: true } } })).toEqual([])
  const preferences = withWish({}, 'diet', { accepts: ['vegan'], dealbreaker: false })
  expect(wishOf(preferences, 'diet')?.accepts).toEqual(['vegan'])
  expect(withWish(preferences, 'diet', { accepts: [], dealbreaker: false })).toEqual({})
})

test('a widener changes only what it names, and null names anywhere', () => {
  expect(widened({ ageMin: undefined, maxDistanceKm: null })).toEqual({ maxDistanceKm: null })
})
