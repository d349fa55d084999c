export const quickEmoji = ['❤️', '😂', '😮', '😢', '👍', '🔥'] as const

// Characters that attach to the one before them, or join two into one.
const joining = /^(?:\p{M}|\p{Emoji_Modifier}|\u200D|[\u{E0020}-\u{E007F}])$/u
const isRegional = (character: string) => /^\p{Regional_Indicator}$/u.test(character)

/** An approximation of graphemes, good enough for emoji, for browsers without `Intl.Segmenter` (Firefox before 125). */
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

/** Returns the number of emoji in a message of nothing else; 0 if it has words or more than `most` emoji. */
export function emojiAlone(text: string, most = 3): number {
  // Three family emoji are 36 UTF-16 units long, so a longer text must contain words.
  if (text.length > most * 16) return 0
  const parts = graphemes(text).filter((part) => part.trim())
  return parts.length <= most && parts.every(isEmoji) ? parts.length : 0
}
