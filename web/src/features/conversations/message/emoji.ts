export const quickEmoji = ['❤️', '😂', '😮', '😢', '👍', '🔥'] as const

// Characters that combine with the preceding character or join two characters.
const joining = /^(?:\p{M}|\p{Emoji_Modifier}|\u200D|[\u{E0020}-\u{E007F}])$/u
const isRegional = (character: string) => /^\p{Regional_Indicator}$/u.test(character)

/** Accurate enough for emoji, in browsers without `Intl.Segmenter` (Firefox before 125). */
export function roughGraphemes(text: string): string[] {
  const parts: string[] = []
  for (const character of text) {
    const before = parts.at(-1)
    const joins = joining.test(character) || before?.endsWith('\u200D')
    if (before !== undefined && (joins || (isRegional(character) && isRegional(before))))
      parts[parts.length - 1] += character
    else parts.push(character)
  }
  return parts
}

const graphemes = (text: string): string[] =>
  typeof Intl.Segmenter === 'undefined'
    ? roughGraphemes(text)
    : [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)].map(({ segment }) => segment)

const picture = /^(?:[0-9#*]\uFE0F?\u20E3|\p{Regional_Indicator}{2}|\p{Extended_Pictographic}.*)$/u
const isEmoji = (grapheme: string) => picture.test(grapheme) && !/^[\u00A9\u00AE\u2122]$/.test(grapheme)

/** Returns 0 if the message also contains text or has more than `most` emoji. */
export function emojiAlone(text: string, most = 3): number {
  // Even three family emoji have only 36 UTF-16 units, so a longer message must contain text.
  if (text.length > most * 16) return 0
  const parts = graphemes(text).filter((part) => part.trim())
  return parts.length <= most && parts.every(isEmoji) ? parts.length : 0
}
