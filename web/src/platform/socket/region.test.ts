import { expect, it } from 'vitest'
import { regional } from './region.ts'

it.each([
  ['en', ['de-DE', 'en-GB', 'en-US'], 'en-GB'],
  ['es', ['es-419', 'en'], 'es-419'],
  ['ar', ['en-GB'], 'ar'],
  ['en', [], 'en'],
  // What a browser prefers where the system has no language.
  ['en', ['en-US@posix', 'en-GB'], 'en-GB'],
  ['en', ['en-US@posix'], 'en'],
])('writes %s, where %j is preferred, as %s', (language, preferred, expected) => {
  expect(regional(language, preferred)).toBe(expected)
})
