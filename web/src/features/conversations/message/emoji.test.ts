import { expect, it, vi } from 'vitest'
import { emojiAlone, quickEmoji } from './emoji.ts'

it('counts the emoji of a message of nothing else, up to three', () => {
  expect(['❤️', '😂 😂', '👩‍👩‍👧‍👦🇵🇹👍🏽', '1️⃣'].map((text) => emojiAlone(text))).toEqual([1, 2, 3, 1])
})

it('takes a message with words, digits or four emoji as text', () => {
  expect(['ok 👍', '12', '#', '😂😂😂😂', '', '©'].map((text) => emojiAlone(text))).toEqual([0, 0, 0, 0, 0, 0])
})

it('counts them where the browser cannot take a text apart', () => {
  vi.stubGlobal('Intl', { ...Intl, Segmenter: undefined })
  expect(['❤️', '😂 😂', '👩‍👩‍👧‍👦🇵🇹👍🏽', '1️⃣', '🇵🇹🇪🇸'].map((text) => emojiAlone(text))).toEqual([1, 2, 3, 1, 2])
  expect(['ok 👍', '12', '#', '😂😂😂😂', '', '©', 'é'].map((text) => emojiAlone(text))).toEqual([0, 0, 0, 0, 0, 0, 0])
  vi.unstubAllGlobals()
})

it('offers what the server takes: emoji that Unicode recommends, each once', () => {
  expect(new Set(quickEmoji).size).toBe(quickEmoji.length)
  for (const emoji of quickEmoji) expect(/^\p{RGI_Emoji}$/v.test(emoji), emoji).toBe(true)
})
