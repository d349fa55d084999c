import { expect, it } from 'vitest'
import { quickEmoji } from '../message/emoji.ts'
import { emojiGroups, findEmoji, inTone, loadEmoji } from './emoji-catalogue.ts'

const first = async (language: string, text: string) => findEmoji(await loadEmoji(language), text)[0]?.emoji

it.each(['en', 'es', 'ar'])(
  'Every group has emoji, and all of them are ones the server accepts (%s)',
  async (language) => {
    const { groups, entries } = await loadEmoji(language)
    for (const group of emojiGroups) expect(groups[group].length, group).toBeGreaterThan(50)
    expect([...entries.keys()].filter((emoji) => !/^\p{RGI_Emoji}$/v.test(emoji))).toEqual([])
    expect(groups.smileys[0]?.emoji).toBe('😀')
    expect(quickEmoji.filter((emoji) => !entries.has(emoji))).toEqual([])
  },
)

it('Emoji are found by words in the viewer’s language, with or without accents', async () => {
  expect(await first('en', 'pizza')).toBe('🍕')
  expect(await first('es', 'corazon roj')).toBe('❤️')
  expect(await first('ar', 'بيتزا')).toBe('🍕')
  expect(findEmoji(await loadEmoji('en'), 'no such thing')).toEqual([])
})

it('Skin tones change people and hands but not other emoji', async () => {
  const { entries } = await loadEmoji('en')
  const shown = (emoji: string, tone: number) => inTone(entries.get(emoji)!, tone)
  expect([shown('👍', 0), shown('👍', 1), shown('👍', 5)]).toEqual(['👍', '👍🏻', '👍🏿'])
  expect(shown('🍕', 3)).toBe('🍕')
})
