/** The six that stand ready on every message. */
export const quickEmoji = ['❤️', '😂', '😮', '😢', '👍', '🔥'] as const

/** More of them to choose from with one press. */
export const moreEmoji = [
  ...['😊', '😍', '🥰', '😘', '😉', '😅', '🤣', '🙈'],
  ...['🤔', '🙄', '😴', '🥹', '😭', '😱', '😤', '🤗'],
  ...['👏', '🙌', '🙏', '💪', '👀', '🤞', '🤝', '👎'],
  ...['🎉', '✨', '💯', '☕', '🍷', '🌹', '🐶', '🐱'],
]

const graphemes = (text: string) =>
  [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)].map(({ segment }) => segment)

// A keycap, a flag, or a picture with whatever joins on to it.
const picture = /^(?:[0-9#*]\uFE0F?\u20E3|\p{Regional_Indicator}{2}|\p{Extended_Pictographic}.*)$/u
const isEmoji = (grapheme: string) => picture.test(grapheme) && !/^[\u00A9\u00AE\u2122]$/.test(grapheme)

/** The last emoji of what was typed; undefined when there is none. */
export const lastEmoji = (typed: string): string | undefined => graphemes(typed).findLast(isEmoji)

/** How many emoji a message of nothing else has; 0 when there are words, or more than `most`. */
export function emojiAlone(text: string, most = 3): number {
  // Three family emoji are 36 units long: whatever is longer has words.
  if (text.length > most * 16) return 0
  const parts = graphemes(text).filter((part) => part.trim())
  return parts.length <= most && parts.every(isEmoji) ? parts.length : 0
}
