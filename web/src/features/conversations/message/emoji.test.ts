import { expect, it, vi } from 'vitest'
import { emojiAlone, quickEmoji } from './emoji.ts'

it('A message of up to three emoji and nothing else is counted as emoji', () => {
  expect(['❤️', '😂 😂', '👩‍👩‍👧‍👦🇵🇹👍🏽', '1️⃣'].map((text) => emojiAlone(text))).toEqual([1, 2, 3, 1])
})

it('A message with words, digits or four emoji is text', () => {
  expect(['ok 👍', '12', '#', '😂😂😂😂', '', '©'].map((text) => emojiAlone(text))).toEqual([0, 0, 0, 0, 0, 0])
})

it('Emoji are counted in browsers without Intl.Segmenter as well', () => {
  vi.stubGlobal('Intl', { ...Intl, Segmenter: undefined })
  expect(['❤️', '😂 😂', '👩‍👩‍👧‍👦🇵🇹👍🏽', '1️⃣', '🇵🇹🇪🇸'].map((text) => emojiAlone(text))).toEqual([1, 2, 3, 1, 2])
  expect(['ok 👍', '12', '#', '😂😂😂😂', '', '©', 'é'].map((text) => emojiAlone(text))).toEqual([0, 0, 0, 0, 0, 0, 0])
  vi.unstubAllGlobals()
})

it('The quick reactions are distinct emoji that the server accepts', () => {
  expect(new Set(quickEmoji).size).toBe(quickEmoji.length)
  for (const emoji of quickEmoji) expect(/^\p{RGI_Emoji}$/v.test(emoji), emoji).toBe(true)
})
