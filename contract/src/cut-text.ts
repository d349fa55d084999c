/* Keep zod out of this file: the web app imports it at runtime. */

/** A letter can carry any number of marks, so one character could fill a whole message. Long emoji have 15 units. */
const longestOf = (most: number) => most * 8 + 16

/** How many UTF-16 units must be read of a text to cut it to `most` characters. */
export const unitsFor = (most: number): number => longestOf(most) + 1

/** Splits a text into what people count as characters: an emoji, or a letter with its accents, is one. */
export function charactersOf(text: string): string[] {
  if (!('Segmenter' in Intl)) return [...text]
  const segments = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)
  return Array.from(segments, ({ segment }) => segment)
}

/**
 * Cuts a text to `most` characters as people count them, and to `longest` UTF-16 units, without splitting a letter or
 * an emoji.
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
