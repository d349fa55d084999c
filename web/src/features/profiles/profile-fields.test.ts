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

it('leaves out a prompt that has no answer yet', () => {
  const prompts = [...saved.prompts, { prompt: 'argue_about' as const, answer: ' ' }]
  expect(sendable({ prompts }, saved)).toEqual({})
})

it('never unsets a gender, which the server does not know how to do', () => {
  expect(sendable({ gender: null, heightCm: null }, { ...saved, gender: 'woman' })).toEqual({ heightCm: null })
})

it('toggles', () => {
  expect(toggled(['a'], 'b')).toEqual(['a', 'b'])
  expect(toggled(['a', 'b'], 'a')).toEqual(['b'])
})
