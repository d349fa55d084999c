import { expect, it } from 'vitest'
import { emojiAlone, lastEmoji, moreEmoji, quickEmoji } from './emoji.ts'

it('counts the emoji of a message of nothing else, up to three', () => {
  expect(['❤️', '😂 😂', '👩‍👩‍👧‍👦🇵🇹👍🏽', '1️⃣'].map((text) => emojiAlone(text))).toEqual([1, 2, 3, 1])
})

it('takes a message with words, digits or four emoji as text', () => {
  expect(['ok 👍', '12', '#', '😂😂😂😂', '', '©'].map((text) => emojiAlone(text))).toEqual([0, 0, 0, 0, 0, 0])
})

it('takes the last emoji of what was typed, whole', () => {
  expect(['a👍🏽', '❤️👩‍👩‍👧‍👦', 'none', ''].map(lastEmoji)).toEqual(['👍🏽', '👩‍👩‍👧‍👦', undefined, undefined])
})

it('offers what the server takes: emoji that Unicode recommends, each once', () => {
  const all = [...quickEmoji, ...moreEmoji]
  expect(new Set(all).size).toBe(all.length)
  for (const emoji of all) expect(/^\p{RGI_Emoji}$/v.test(emoji), emoji).toBe(true)
})
