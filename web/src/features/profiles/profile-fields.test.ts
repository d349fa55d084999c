import { expect, it } from 'vitest'
import { type ProfileFields, sendable, toggled } from './profile-fields.ts'

const saved: ProfileFields = {
  name: 'Ines',
  bio: '',
  gender: null,
  genderText: '',
  pronouns: '',
  intents: [],
  interests: ['cats'],
  prompts: [{ prompt: 'proud_of', answer: 'Bread' }],
  heightCm: 172,
  children: null,
  smoking: 'never',
  drinking: null,
  diet: null,
  languages: ['en'],
  faith: null,
}

it('A prompt without an answer isn’t sent', () => {
  const prompts = [...saved.prompts, { prompt: 'argue_about' as const, answer: ' ' }]
  expect(sendable({ prompts }, saved)).toEqual({})
})

it('An empty gender isn’t sent, because the server can’t unset it', () => {
  expect(sendable({ gender: null, heightCm: null }, { ...saved, gender: 'woman' })).toEqual({ heightCm: null })
})

it('toggled adds a missing item and removes a present one', () => {
  expect(toggled(['a'], 'b')).toEqual(['a', 'b'])
  expect(toggled(['a', 'b'], 'a')).toEqual(['b'])
})
