import { charactersOf, cutText } from '@duet/contract/cut-text.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'

it.each([
  ['an emoji', 'a😀b', 2, 'a😀'],
  ['a family', '👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 1, '👩‍👩‍👧‍👦'],
  ['a flag', 'x🇪🇸🇲🇽', 2, 'x🇪🇸'],
  ['a letter and its accent', 'e\u0301e\u0301', 1, 'e\u0301'],
  ['Arabic with vowel signs', 'مَرْحَبًا', 2, 'مَرْ'],
])('Cutting a text keeps %s whole', (_what, text, most, cut) => {
  expect(cutText(text, most)).toBe(cut)
})

it('A cut text also respects a limit in code units', () => {
  expect(cutText('ab👩‍👩‍👧‍👦c', 5, 5)).toBe('ab')
})

it('A text that is short enough stays unchanged', () => {
  expect(cutText('', 3)).toBe('')
  expect(cutText('abc', 3)).toBe('abc')
})

it('A letter with thousands of marks does not get past the limit', () => {
  expect(cutText(`ab${'\u0301'.repeat(2_000)}`, 80)).toBe('a')
})

it('A cut text always ends between two characters', () => {
  const units = fc.array(fc.constantFrom('a', ' ', '😀', '👩🏽', '\u200d', '🇪🇸', 'e\u0301', 'م', '\u064e'), {
    maxLength: 60,
  })
  fc.assert(
    fc.property(units, fc.integer({ min: 1, max: 20 }), (parts, most) => {
      const text = parts.join('')
      const characters = charactersOf(text)
      const cut = cutText(text, most)
      expect(cut).not.toMatch(/\p{Cs}/u)
      const beginnings = ['', ...characters.map((_, place) => characters.slice(0, place + 1).join(''))]
      expect(beginnings).toContain(cut)
    }),
  )
})
