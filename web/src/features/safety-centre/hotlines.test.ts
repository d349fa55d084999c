import { expect, test } from 'vitest'
import { countries, hotlines, likelyCountry } from './hotlines.ts'

test('every country has someone to call right away, first', () => {
  for (const country of countries) expect(hotlines[country]?.[0]?.kind, country).toMatch(/^(emergency|police)$/)
})

test('numbers can be dialled as they are', () => {
  for (const { number } of Object.values(hotlines).flat()) expect(number).toMatch(/^[0-9][0-9 -]*$/)
})

test('a browser that names a country chooses it, and one that names another leaves the choice', () => {
  expect(likelyCountry(['de', 'en-GB', 'en-US'])).toBe('GB')
  expect(likelyCountry(['ar-EG', 'en-US'])).toBeUndefined()
  expect(likelyCountry(['en'])).toBeUndefined()
})
