import { beforeEach, expect, it } from 'vitest'
import { changesOf, keepProfileDraft, type ProfileFields, readProfileDraft, toggled } from './profile-fields.ts'

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

beforeEach(() => localStorage.clear())

it('finds no changes in a form that was not touched', () => expect(changesOf(saved, { ...saved })).toEqual({}))

it('sends only what was changed', () => {
  expect(changesOf(saved, { ...saved, bio: 'Hello', interests: ['cats', 'dogs'] })).toEqual({
    bio: 'Hello',
    interests: ['cats', 'dogs'],
  })
})

it('leaves out a prompt that has no answer yet', () => {
  const prompts = [...saved.prompts, { prompt: 'argue_about' as const, answer: ' ' }]
  expect(changesOf(saved, { ...saved, prompts })).toEqual({})
})

it('never unsets a gender, which the server does not know how to do', () => {
  expect(changesOf({ ...saved, gender: 'woman' }, { ...saved, gender: null })).toEqual({})
})

it('sends facts one by one, and clears them with null', () => {
  expect(changesOf(saved, { ...saved, heightCm: null, diet: 'vegan', languages: ['en', 'pt'] })).toEqual({
    heightCm: null,
    diet: 'vegan',
    languages: ['en', 'pt'],
  })
})

it('keeps unsaved changes until there are none', () => {
  keepProfileDraft('me', { bio: 'Half a sent' })
  expect(readProfileDraft('me')).toEqual({ bio: 'Half a sent' })
  keepProfileDraft('me', {})
  expect(readProfileDraft('me')).toEqual({})
})

it('toggles', () => {
  expect(toggled(['a'], 'b')).toEqual(['a', 'b'])
  expect(toggled(['a', 'b'], 'a')).toEqual(['b'])
})
