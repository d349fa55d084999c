import { languages } from '@duet/contract/limits.ts'
import { expect, it } from 'vitest'
import { feetOf, heightWords, knowsFeet, languageName } from './fact-words.ts'

it('A height is shown in centimetres, and also in feet where people use them', () => {
  expect(heightWords(172, 'en', 'de-DE')).toBe('172 cm')
  expect(heightWords(172, 'en', 'en-US')).toBe('172 cm (5′ 8″)')
  expect(heightWords(172, 'es', 'es-ES')).toBe('172 cm')
})

it('A height in feet is rounded to the nearest inch, and never shows twelve inches', () => {
  expect(feetOf(183)).toBe('6′ 0″')
  for (let cm = 120; cm <= 230; cm++) expect(feetOf(cm)).toMatch(/^[3-7]′ (\d|1[01])″$/)
})

it('The region of a bare language tag is guessed, and an invalid tag doesn’t throw', () => {
  expect(knowsFeet('en')).toBe(true)
  expect(knowsFeet('ar')).toBe(false)
  expect(knowsFeet('not a tag')).toBe(false)
})

it('Every language of the contract has a name in every language of the app', () => {
  for (const language of ['en', 'es', 'ar'])
    for (const code of languages) expect(languageName(code, language)).not.toBe(code)
  expect(languageName('pt', 'es')).toBe('Portugués')
})
