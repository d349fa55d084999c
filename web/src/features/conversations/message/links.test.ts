import { expect, it } from 'vitest'
import { hasLink, textPieces } from './links.ts'

const links = (text: string) => textPieces(text).flatMap(({ href }) => (href ? [href] : []))

it('Links are found with and without a scheme, without the full stop of the sentence', () => {
  expect(links('See https://example.org/a?b=1, then example.com.')).toEqual([
    'https://example.org/a?b=1',
    'https://example.com',
  ])
  expect(links('http://example.org')).toEqual(['http://example.org'])
})

it('Splitting a text into pieces keeps every character in order', () => {
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
])('%s isn’t a link', (text) => expect(hasLink(text)).toBe(false))
