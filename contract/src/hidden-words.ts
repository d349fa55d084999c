import { foldedText } from './folded-text.ts'

/*
 * A plain file without schemas: the web app takes it as it is.
 */

/** Scripts that join words, or put things before and behind them, so that a word has no edges to look for. */
const withoutEdges =
  /[\p{sc=Arab}\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Hebr}\p{sc=Khmr}\p{sc=Laoo}\p{sc=Mymr}]/u
// With the flag `u`, an escaped hyphen doesn't compile. Outside of a class it needs no escape.
const special = /[.*+?^${}()|[\]\\/]/g

function patternOf(word: string): string {
  const folded = foldedText(word).trim().replace(/\s+/g, ' ')
  const literal = folded.replace(special, '\\$&').replace(/ /g, '\\s+')
  return withoutEdges.test(folded) ? literal : `(?<![\\p{L}\\p{M}\\p{N}])${literal}(?![\\p{L}\\p{M}\\p{N}])`
}

/**
 * Whether texts contain one of a person's hidden words: whole words, whatever their case and accents; anywhere
 * in scripts whose words have no edges.
 */
export function hiddenBy(words: readonly string[]): (text: string) => boolean {
  const patterns = words.filter((word) => foldedText(word).trim() !== '').map(patternOf)
  if (patterns.length === 0) return () => false
  const any = new RegExp(patterns.join('|'), 'u')
  return (text) => any.test(foldedText(text))
}
