import type { Opener } from '@duet/contract/matches.ts'
import i18next from 'i18next'
import { beforeAll, expect, it } from 'vitest'
import { preloadTexts, startI18n } from '../../platform/i18n.ts'
import { openerTexts, quote } from './openers.ts'

beforeAll(async () => {
  await startI18n('en')
  await preloadTexts('matches', 'catalogue')
})

const openers: Opener[] = [
  { kind: 'interest', interest: 'night_trains' },
  { kind: 'their_interest', interest: 'cats' },
  { kind: 'prompt', prompt: 'proud_of', answer: 'Bread' },
  { kind: 'prompt', prompt: 'best_trip', answer: 'Bread' },
  ...(['relationship', 'dating', 'friendship', 'open'] as const).map((intent) => ({ kind: 'intent' as const, intent })),
  { kind: 'hello' },
]

it('An opener about a shared interest names it in lower case', () => {
  const [text] = openerTexts([{ kind: 'interest', interest: 'night_trains' }], 'Ines', i18next.t, 'en')
  expect(text).toBe('We both like night trains. What got you into it?')
})

it.each(['en', 'es', 'ar'])('Every kind of opener is a complete message in %s', async (language) => {
  await i18next.changeLanguage(language)
  await preloadTexts('matches', 'catalogue')
  const texts = openerTexts(openers, 'Ines', i18next.t, language)
  expect(texts).toHaveLength(openers.length)
  for (const text of texts) expect(text).not.toMatch(/\{\{|\}\}|undefined|opener\./)
})

it('A quote of a long answer is cut between words', () => {
  const long = `I learned to bake${' bread'.repeat(40)}`
  expect(quote(long).length).toBeLessThan(95)
  expect(quote(long)).toMatch(/ bread…$/)
  expect(quote('Short\nand sweet.')).toBe('Short and sweet')
})
