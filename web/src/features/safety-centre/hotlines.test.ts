import { expect, test } from 'vitest'
import { countries, hotlines, likelyCountry } from './hotlines.ts'

test('Every country lists an emergency or police number first', () => {
  for (const country of countries) expect(hotlines[country]?.[0]?.kind, country).toMatch(/^(emergency|police)$/)
})

test('Every number can be dialled as written', () => {
  for (const { number } of Object.values(hotlines).flat()) expect(number).toMatch(/^[0-9][0-9 -]*$/)
})

test('The first language tag with a region selects the country, if it is known', () => {
  expect(likelyCountry(['de', 'en-GB', 'en-US'])).toBe('GB')
  expect(likelyCountry(['ar-EG', 'en-US'])).toBeUndefined()
  expect(likelyCountry(['en'])).toBeUndefined()
})
