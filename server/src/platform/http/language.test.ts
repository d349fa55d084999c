import { expect, it } from 'vitest'
import { dayIn, languageIn, languageOf } from './language.ts'

it.each([
  ['es', 'es'],
  ['ar-EG,en;q=0.9', 'ar'],
  ['fr-CH, de;q=0.9, ES-mx;q=0.4, en;q=0.5, *;q=0.1', 'en'],
  ['en;q=0, ar;q=0.1', 'ar'],
  ['es;q=nonsense, ar;q=0.2', 'ar'],
  ['*', undefined],
  ['fr', undefined],
  ['', undefined],
  [undefined, undefined],
])('Accept-Language “%s” selects %s', (header, language) => {
  expect(languageIn(header)).toBe(language)
})

it('A date is written in each app language, with English as the fallback', () => {
  const day = new Date('2026-11-21T23:30:00Z')
  expect((['en', 'es', 'ar'] as const).map((language) => dayIn(language, day))).toEqual([
    'November 21, 2026',
    '21 de noviembre de 2026',
    '21 نوفمبر 2026',
  ])
  expect([languageOf('ar'), languageOf('fr'), languageOf(undefined)]).toEqual(['ar', 'en', 'en'])
})
