import { expect, it } from 'vitest'
import { allowFeatures, forbiddenWords, requireFeatures, topics } from './features.ts'

it('features under listed topics are allowed', () => {
  expect(allowFeatures(['age.gap', 'interests.shared', 'facts.children'])).toEqual([
    'age.gap',
    'interests.shared',
    'facts.children',
  ])
})

it("features that aren't listed neither compile nor run", () => {
  // @ts-expect-error: not one of the allowed topics
  expect(() => allowFeatures(['looks.rating'])).toThrow('looks.rating may not be learned from')
  // @ts-expect-error: a topic alone is no feature
  expect(() => allowFeatures(['age'])).toThrow(TypeError)
  // @ts-expect-error: the part after the dot is a forbidden word
  expect(() => allowFeatures(['facts.faith'])).toThrow(TypeError)
  // @ts-expect-error: forbidden words are found in camel case too
  expect(() => allowFeatures(['facts.sameRace'])).toThrow(TypeError)
  // @ts-expect-error: one wrong name among right ones
  expect(() => allowFeatures(['age.gap', 'distance.zip_code'])).toThrow(TypeError)
})

it('forbidden words are refused under every topic', () => {
  for (const topic of topics) {
    for (const word of forbiddenWords) {
      expect(() => requireFeatures([`${topic}.${word}`])).toThrow(TypeError)
      expect(() => requireFeatures([`${topic}.of_${word.toUpperCase()}s`])).toThrow(TypeError)
    }
  }
})

it('a duplicate feature is refused', () => {
  expect(() => allowFeatures(['age.gap', 'age.gap'])).toThrow('twice')
})
