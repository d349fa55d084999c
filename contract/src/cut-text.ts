/* Don't import zod here: the web app loads this file at runtime. */

/**
 * Caps the UTF-16 units too, because one letter can have any number of marks and could fill a whole message. Long emoji
 * take 15 units.
 */
const longestOf = (most: number) => most * 8 + 16

/** The number of UTF-16 units to read from a text before cutting it to `most` characters. */
export const unitsFor = (most: number): number => longestOf(most) + 1

/** Splits a text into user-perceived characters: an emoji is one, and so is a letter with its accents. */
export function charactersOf(text: string): string[] {
  if (!('Segmenter' in Intl)) return [...text]
  const segments = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)
  return Array.from(segments, ({ segment }) => segment)
}

/**
 * Cuts a text to `most` user-perceived characters and at most `longest` UTF-16 units, without splitting a letter or an
 * emoji.
 */
export function cutText(text: string, most: number, longest = longestOf(most)): string {
  if (text.length <= most) return text
  let cut = ''
  // biome-ignore lint/plugin/cut-text: unitsFor() leaves room for every character in the result.
  for (const character of charactersOf(text.slice(0, unitsFor(most))).slice(0, most)) {
    if (cut.length + character.length > longest) break
    cut += character
  }
  return cut
}
