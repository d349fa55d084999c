import type { Facts, Profile } from '@duet/contract/profiles.ts'
import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderPage } from '../../../test/render.tsx'
import { FactRows } from './fact-rows.tsx'

const nothing: Facts = {
  heightCm: null,
  children: null,
  smoking: null,
  drinking: null,
  diet: null,
  languages: [],
  faith: null,
}
const ines = {
  intents: [],
  gender: null,
  genderText: '',
  pronouns: '',
  area: null,
  questions: { agreed: 0, asked: 0 },
  facts: nothing,
} as unknown as Profile

const draw = (profile: Partial<Profile>) =>
  renderPage(<FactRows profile={{ ...ines, ...profile }} />, { texts: ['profiles', 'catalogue'] })

test('Every fact is shown in words, with its name for screen readers', async () => {
  vi.spyOn(navigator, 'language', 'get').mockReturnValue('de-DE')
  await draw({
    intents: ['relationship', 'friendship'],
    genderText: 'femme',
    gender: 'woman',
    pronouns: 'she/her',
    area: 'Lisbon',
    questions: { agreed: 14, asked: 16 },
    facts: {
      heightCm: 172,
      children: 'have_and_want_more',
      smoking: 'never',
      drinking: 'sometimes',
      diet: 'vegan',
      languages: ['pt', 'en'],
      faith: 'spiritual',
    },
  })
  const said = screen.getAllByRole('definition').map(({ textContent }) => textContent)
  expect(said).toEqual([
    'You match on 14 of 16 answers',
    'Relationship and Friendship',
    'femme · she/her',
    'Lisbon',
    '172 cm',
    'Has kids, wants more',
    'Doesn’t smoke',
    'Drinks sometimes',
    'Vegan',
    'Portuguese and English',
    'Spiritual',
  ])
  expect(screen.getAllByRole('term').map(({ textContent }) => textContent)).toContain('Height')
})

test('Facts without an answer are left out, and so is the section if it is empty', async () => {
  const { unmount } = await draw({ pronouns: 'they/them' })
  expect(screen.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual(['they/them'])
  unmount()
  await draw({})
  expect(screen.queryByRole('heading')).toBeNull()
})
