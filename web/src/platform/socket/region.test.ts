import { expect, it } from 'vitest'
import { regional } from './region.ts'

it.each([
  ['en', ['de-DE', 'en-GB', 'en-US'], 'en-GB'],
  ['es', ['es-419', 'en'], 'es-419'],
  ['ar', ['en-GB'], 'ar'],
  ['en', [], 'en'],
  // Browsers report this on a system with no language set.
  ['en', ['en-US@posix', 'en-GB'], 'en-GB'],
  ['en', ['en-US@posix'], 'en'],
])('a page in %s, in a browser that prefers %j, formats dates as %s', (language, preferred, expected) => {
  expect(regional(language, preferred)).toBe(expected)
})
