import type { MyDetails } from '@duet/contract/profiles.ts'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mockEndpoint, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import { ProfileForm } from './profile-form.tsx'

const details = {
  ...jun,
  gender: 'man',
  genderText: '',
  pronouns: '',
  bio: '',
  intents: ['relationship'],
  interests: [],
  prompts: [],
  facts: {
    heightCm: null,
    children: null,
    smoking: 'often',
    drinking: null,
    diet: null,
    languages: ['en'],
    faith: null,
  },
} as unknown as MyDetails

beforeEach(() => {
  localStorage.clear()
  signInAs(jun)
})
afterEach(resetEndpoints)

const draw = () => renderPage(<ProfileForm details={details} />, { texts: ['profiles', 'catalogue'] })
const saved = () => mockEndpoint('PATCH /api/user/updateUser', () => details)
const save = () => screen.getByRole('button', { name: 'Save' })

test('facts and wishes are saved together, only those that were changed', async () => {
  const sent = saved()
  const { user } = await draw()
  await user.type(screen.getByLabelText('Height'), '172')
  await user.selectOptions(screen.getByLabelText('Food'), 'Vegetarian')
  await user.selectOptions(screen.getByLabelText('Smoking'), 'Not said')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Languages' }), 'Portuguese')
  await user.click(screen.getByRole('button', { name: 'Remove English' }))
  await user.click(screen.getByRole('button', { name: 'Friendship' }))
  await user.type(screen.getByLabelText('In your own words'), 'trans man')
  await user.type(screen.getByLabelText('Pronouns'), 'he/him')
  await user.click(save())
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]?.body).toEqual({
    heightCm: 172,
    diet: 'vegetarian',
    smoking: null,
    languages: ['pt'],
    intents: ['relationship', 'friendship'],
    genderText: 'trans man',
    pronouns: 'he/him',
  })
})

test('a height is judged when it is left, and leads back to its field', async () => {
  const sent = saved()
  const { user } = await draw()
  const height = screen.getByLabelText('Height')
  await user.type(height, '17')
  expect(screen.queryByText(/Enter a height/)).toBeNull()
  await user.tab()
  expect(await screen.findByText('Enter a height between 120 and 230 cm, or nothing.')).toBeTruthy()
  await user.click(save())
  await waitFor(() => expect(document.activeElement).toBe(height))
  expect(sent).toEqual([])
  await user.type(height, '٥')
  await user.click(save())
  await waitFor(() => expect(sent[0]?.body).toEqual({ heightCm: 175 }))
})

test('says that there is room for no more languages', async () => {
  saved()
  const { user } = await draw()
  const languages = screen.getByRole('combobox', { name: 'Languages' })
  for (const name of ['Portuguese', 'Spanish', 'French', 'Italian']) await user.selectOptions(languages, name)
  expect(screen.getByText('You have chosen 5. Take one away to add another.')).toBeTruthy()
  expect(languages).toHaveProperty('disabled', true)
})
