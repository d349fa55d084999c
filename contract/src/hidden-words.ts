import { foldedText } from './folded-text.ts'

/* Don't import zod here: the web app loads this file at runtime. */

/**
 * Scripts without spaces between words, or with attached prefixes and suffixes, so a pattern can't rely on word
 * boundaries.
 */
const withoutEdges =
  /[\p{sc=Arab}\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Hebr}\p{sc=Khmr}\p{sc=Laoo}\p{sc=Mymr}]/u
// No hyphen: outside a class it needs no escape, and the `u` flag forbids one.
const special = /[.*+?^${}()|[\]\\/]/g

function patternOf(word: string): string {
  const folded = foldedText(word).trim().replace(/\s+/g, ' ')
  const literal = folded.replace(special, '\\$&').replace(/ /g, '\\s+')
  return withoutEdges.test(folded) ? literal : `(?<![\\p{L}\\p{M}\\p{N}])${literal}(?![\\p{L}\\p{M}\\p{N}])`
}

/**
 * Returns a test for whether a text contains one of the hidden words. It ignores case and accents, and matches whole
 * words, or any occurrence in scripts without word boundaries.
 */
export function hiddenBy(words: readonly string[]): (text: string) => boolean {
  const patterns = words.filter((word) => foldedText(word).trim() !== '').map(patternOf)
  if (patterns.length === 0) return () => false
  const any = new RegExp(patterns.join('|'), 'u')
  return (text) => any.test(foldedText(text))
}
