import { interestIds } from '@duet/contract/catalogue.ts'
import { languages } from '@duet/contract/limits.ts'
import { expect, it } from 'vitest'
import { defaultModel } from './model.ts'
import { someone } from './people.test-data.ts'
import { type Circumstances, reasonsFor } from './reasons.ts'
import type { Traits } from './traits.ts'

const plain: Circumstances = {
  rarity: Float64Array.from(interestIds, (_, place) => 1 + place / 60),
  languageRarity: Float64Array.from(languages, (language) => (language === 'en' ? 0.1 : 3)),
  distanceKm: 50,
  active: false,
  isNew: false,
  slotKind: 'regular',
}
const why = (one: Partial<Traits>, other: Partial<Traits>, circumstances: Partial<Circumstances> = {}) =>
  reasonsFor(defaultModel, someone(one), someone({ id: 'other', ...other }), { ...plain, ...circumstances })
const kinds = (...of: Parameters<typeof why>) => why(...of).map(({ kind }) => kind)
const speaks = (...spoken: (typeof languages)[number][]) =>
  spoken.reduce((mask, language) => mask | (1 << languages.indexOf(language)), 0)

it('there is no reason if nothing is shared', () => {
  expect(why({}, {})).toEqual([])
})

it('the rarest shared interest is a reason', () => {
  const both = { interests: [1 << 3, 1 << 29] as const }
  expect(why(both, both)).toEqual([{ kind: 'interest', params: { interest: interestIds[59] } }])
})

it('equal wishes and habits are reasons', () => {
  const mine = (1 << (0b0011 - 1)) | (1 << 17) | (1 << 20) | (1 << 24)
  const theirs = (1 << (0b0110 - 1)) | (1 << 17) | (1 << 21) | (1 << 24)
  expect(why({ traits: mine }, { traits: theirs })).toEqual([
    { kind: 'children', params: { children: 'want' } },
    { kind: 'intent', params: { intent: 'dating' } },
    { kind: 'drinking', params: { drinking: 'sometimes' } },
  ])
})

it('other reasons replace withheld ones', () => {
  const both = { traits: (1 << 17) | (1 << 24), interests: [1 << 3, 0] as const }
  const withheld = new Set(['near', 'active_today'] as const)
  const told = (circumstances: Partial<Circumstances>) => kinds(both, both, { isNew: true, withheld, ...circumstances })
  expect(told({ distanceKm: 5, active: true })).toEqual(told({ distanceKm: 50, active: false }))
  expect(told({ distanceKm: 5, active: true })).toHaveLength(3)
})

it('a shared language is a reason if few people speak it', () => {
  expect(kinds({ languages: speaks('en') }, { languages: speaks('en', 'cs') })).toEqual([])
  expect(why({ languages: speaks('en', 'cs') }, { languages: speaks('en', 'cs') })).toEqual([
    { kind: 'language', params: { language: 'cs' } },
  ])
})

it('agreement on questions is a reason if both answered enough and agree on most', () => {
  const sheet = (count: number, choice: number) =>
    Uint8Array.from({ length: count * 2 }, (_, place) => (place % 2 ? 1 : choice | 0x30))
  const [four, ten] = [sheet(4, 1), sheet(10, 1)]
  expect(why({ sheet: ten }, { sheet: ten })).toEqual([{ kind: 'questions', params: { agreed: '10', asked: '10' } }])
  expect(why({ sheet: four }, { sheet: four })).toEqual([])
  expect(why({ sheet: ten }, { sheet: sheet(10, 2) })).toEqual([])
})

it('being near, active today and new are reasons, three at most', () => {
  expect(why({}, {}, { distanceKm: 5, active: true, isNew: true })).toEqual([
    { kind: 'near', params: { km: '5' } },
    { kind: 'active_today', params: {} },
    { kind: 'new_here', params: {} },
  ])
  const both = { traits: 1 << 17, interests: [1, 0] as const }
  expect(why(both, both, { distanceKm: 5, active: true, isNew: true })).toHaveLength(3)
})

it("being outside the viewer's usual range is the first reason", () => {
  expect(kinds({}, {}, { slotKind: 'explore', active: true })).toEqual(['outside_your_usual', 'active_today'])
})

it('diet, popularity and likes are never a reason', () => {
  const halal = { traits: 1 << 30, b: 9, a: 9 }
  expect(why(halal, halal, { slotKind: 'received' })).toEqual([])
})
