import { expect, it } from 'vitest'
import { hasLink, textPieces } from './links.ts'

const links = (text: string) => textPieces(text).flatMap(({ href }) => (href ? [href] : []))

it('finds addresses with and without a scheme, and leaves the full stop of the sentence out', () => {
  expect(links('See https://example.org/a?b=1, then example.com.')).toEqual([
    'https://example.org/a?b=1',
    'https://example.com',
  ])
  expect(links('http://example.org')).toEqual(['http://example.org'])
})

it('keeps every character of the text in its order', () => {
  const text = 'one https://a.org two www.b.org three'
  expect(
    textPieces(text)
      .map((piece) => piece.text)
      .join(''),
  ).toBe(text)
})

it.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'ftp://a.org',
  'mailto:a@b.org',
  'a@b.org',
  '//a.org',
  'e.g. this',
])('takes %s for words', (text) => expect(hasLink(text)).toBe(false))
