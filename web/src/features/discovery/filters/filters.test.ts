import { expect, test } from 'vitest'
import { activeFilters, type Filters, widened, wishOf, withWish } from './filters.ts'

const open: Filters = { interestedIn: ['woman'], ageMin: 18, ageMax: 99, maxDistanceKm: null, preferences: {} }

test('Filters that let everyone in aren’t active, and neither is the choice of genders', () => {
  expect(activeFilters(open)).toEqual([])
})

test('The default distance of a new account isn’t an active filter', () => {
  expect(activeFilters({ ...open, maxDistanceKm: 100 })).toEqual([])
  expect(activeFilters({ ...open, maxDistanceKm: 50 }).map(({ key }) => key)).toEqual(['distance'])
})

test('Each active filter comes with the change that removes it', () => {
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

test('A preference without any values counts as none', () => {
  expect(activeFilters({ ...open, preferences: { diet: { accepts: [], dealbreaker: true } } })).toEqual([])
  const preferences = withWish({}, 'diet', { accepts: ['vegan'], dealbreaker: false })
  expect(wishOf(preferences, 'diet')?.accepts).toEqual(['vegan'])
  expect(withWish(preferences, 'diet', { accepts: [], dealbreaker: false })).toEqual({})
})

test('A suggestion changes only the filters it names, and null means anywhere', () => {
  expect(widened({ ageMin: undefined, maxDistanceKm: null })).toEqual({ maxDistanceKm: null })
})
