import { expect, it } from 'vitest'
import { snippetOf } from './snippet.ts'

it('A snippet marks the match regardless of case and accents', () => {
  expect(snippetOf('Meet me at the Café tonight', 'cafe')).toEqual({
    before: 'Meet me at the ',
    found: 'Café',
    after: ' tonight',
  })
})

it('A snippet cuts distant text before the match and shows an ellipsis', () => {
  const { before, found } = snippetOf(`${'word '.repeat(30)}needle`, 'needle')
  expect(before).toBe('…word word word word word ')
  expect(found).toBe('needle')
})

it('A snippet without a match shows the start of the text', () => {
  expect(snippetOf('Hello\nthere', 'general')).toEqual({ before: 'Hello there', found: '', after: '' })
})

it('A snippet keeps characters of several code units whole', () => {
  expect(snippetOf('😂 yes', 'YES')).toEqual({ before: '😂 ', found: 'yes', after: '' })
})

it.each([
  ['die Straße hier', 'STRASSE', 'Straße'],
  ['aus Łódź', 'lodz', 'Łódź'],
  ['στην ΟΔΟΣ', 'οδός', 'ΟΔΟΣ'],
  ['قال مُحَمَّد لي', 'محمد', 'مُحَمَّد'],
  ['the ﬁnal word', 'final', 'ﬁnal'],
])('In %s, the snippet marks what the server finds by %s', (text, query, found) => {
  expect(snippetOf(text, query).found).toBe(found)
})
