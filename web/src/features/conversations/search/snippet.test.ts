import { expect, it } from 'vitest'
import { snippetOf } from './snippet.ts'

it('marks what was found, whatever its case and accents', () => {
  expect(snippetOf('Meet me at the Café tonight', 'cafe')).toEqual({
    before: 'Meet me at the ',
    found: 'Café',
    after: ' tonight',
  })
})

it('cuts what is far before it, and says so', () => {
  const { before, found } = snippetOf(`${'word '.repeat(30)}needle`, 'needle')
  expect(before).toBe('…word word word word word ')
  expect(found).toBe('needle')
})

it('shows the beginning when the words are not there as they were written', () => {
  expect(snippetOf('Hello\nthere', 'general')).toEqual({ before: 'Hello there', found: '', after: '' })
})

it('keeps pictures of several units whole', () => {
  expect(snippetOf('😂 yes', 'YES')).toEqual({ before: '😂 ', found: 'yes', after: '' })
})

it.each([
  ['die Straße hier', 'STRASSE', 'Straße'],
  ['aus Łódź', 'lodz', 'Łódź'],
  ['στην ΟΔΟΣ', 'οδός', 'ΟΔΟΣ'],
  ['قال مُحَمَّد لي', 'محمد', 'مُحَمَّد'],
  ['the ﬁnal word', 'final', 'ﬁnal'],
])('In %s, marks what the server finds by %s', (text, query, found) => {
  expect(snippetOf(text, query).found).toBe(found)
})
