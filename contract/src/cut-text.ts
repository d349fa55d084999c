/*
 * A plain file without schemas: the web app takes it as it is.
 */

/** A letter may carry any number of marks: without a bound, one could be a whole message. Long emoji have 15 units. */
const longestOf = (most: number) => most * 8 + 16

/** Enough of a text to cut it to `most` characters: what is read of it beforehand must not be shorter. */
export const unitsFor = (most: number): number => longestOf(most) + 1

/** A text as the characters that people count: an emoji, or a letter with its accents, is one. */
export function charactersOf(text: string): string[] {
  if (!('Segmenter' in Intl)) return [...text]
  const segments = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)
  return Array.from(segments, ({ segment }) => segment)
}

/**
 * The first `most` characters of a text as people count them, and no more than `longest` as JavaScript counts them: no
 * emoji and no letter is cut in half.
 */
export function cutText(text: string, most: number, longest = longestOf(most)): string {
  if (text.length <= most) return text
  let cut = ''
  // biome-ignore lint/plugin/cut-text: long enough to hold every character that is kept.
  for (const character of charactersOf(text.slice(0, unitsFor(most))).slice(0, most)) {
    if (cut.length + character.length > longest) break
    cut += character
  }
  return cut
}
