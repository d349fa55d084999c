import { foldedText } from './folded-text.ts'

/* Keep zod out of this file: the web app imports it at runtime. */

/** Scripts that write words together or attach prefixes and suffixes, so a word has no boundaries to match. */
const withoutEdges =
  /[\p{sc=Arab}\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Hebr}\p{sc=Khmr}\p{sc=Laoo}\p{sc=Mymr}]/u
// The `u` flag forbids an escaped hyphen outside a class, where it needs no escape anyway.
const special = /[.*+?^${}()|[\]\\/]/g

function patternOf(word: string): string {
  const folded = foldedText(word).trim().replace(/\s+/g, ' ')
  const literal = folded.replace(special, '\\$&').replace(/ /g, '\\s+')
  return withoutEdges.test(folded) ? literal : `(?<![\\p{L}\\p{M}\\p{N}])${literal}(?![\\p{L}\\p{M}\\p{N}])`
}

/**
 * Whether texts contain one of a person's hidden words: whole words, regardless of case and accents, or any occurrence
 * in scripts without word boundaries.
 */
export function hiddenBy(words: readonly string[]): (text: string) => boolean {
  const patterns = words.filter((word) => foldedText(word).trim() !== '').map(patternOf)
  if (patterns.length === 0) return () => false
  const any = new RegExp(patterns.join('|'), 'u')
  return (text) => any.test(foldedText(text))
}
