import type { MyDetails } from '@duet/contract/profiles.ts'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { useSession } from '../../platform/session.ts'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import SignUpScreen from './sign-up-screen.tsx'

const details: MyDetails = {
  ...jun,
  birthDate: '1994-05-17',
  age: 32,
  gender: null,
  genderText: '',
  pronouns: '',
  bio: '',
  intents: [],
  interests: [],
  prompts: [],
  interestedIn: [],
  ageMin: 18,
  ageMax: 99,
  maxDistanceKm: null,
  facts: { heightCm: null, children: null, smoking: null, drinking: null, diet: null, languages: [], faith: null },
  preferences: {},
  paused: false,
  learnFromMe: true,
  readReceipts: true,
  photos: [],
  area: null,
  verified: false,
  onboardingComplete: false,
  completeness: { percent: 0, items: [] },
  createdAt: '2026-11-21T12:00:00Z',
}

beforeEach(() => {
  sessionStorage.clear()
  signInAs(null)
  mockEndpoint('POST /api/user/requestOtp', () => ({ expiresIn: 600, resendIn: 30 }))
})
afterEach(resetEndpoints)

const field = (name: string) => screen.getByLabelText(name)
const button = (name: string) => screen.getByRole('button', { name })
type Page = Awaited<ReturnType<typeof renderPage>>

async function answerUntilBirth({ user }: Page) {
  await user.type(field('Email'), 'jun@example.org')
  await user.click(button('Continue'))
  await user.type(await screen.findByLabelText('Code'), '12345678')
  await user.click(button('Continue'))
  await user.type(await screen.findByLabelText('Name'), 'Jun')
  await user.click(button('Continue'))
  await screen.findByText('When were you born, Jun?')
}

async function enterBirth({ user }: Page, year: string) {
  await user.type(field('Day'), '17')
  await user.type(field('Month'), '5')
  await user.type(field('Year'), year)
}

const draw = () => renderPage(<SignUpScreen />, { path: '/signup', texts: ['accounts', 'entry'] })

test('email, code, name and birth date make an account, and the profile questions follow', async () => {
  const calls = mockEndpoint('POST /api/user/register', () => jun)
  mockEndpoint('GET /api/user/myDetails', () => details)
  const page = await draw()
  expect(screen.getByText('1 of 9')).toBeTruthy()
  await answerUntilBirth(page)
  await enterBirth(page, '1994')
  expect(screen.getByText(/^You are \d+\.$/)).toBeTruthy()
  await page.user.click(screen.getByRole('checkbox'))
  await page.user.click(button('Continue'))
  await screen.findByText('Who are you, and who would you like to meet?')
  expect(calls[0]?.body).toEqual({
    email: 'jun@example.org',
    otp: '12345678',
    name: 'Jun',
    birthDate: '1994-05-17',
    acceptTerms: true,
  })
  expect(useSession.getState().user?.token).toBe('secret')
})

test('another address begins with an empty code, and what is missing is where the focus goes', async () => {
  const page = await draw()
  await page.user.type(field('Email'), 'jun@example.org')
  await page.user.click(button('Continue'))
  await page.user.type(await screen.findByLabelText('Code'), '12345678')
  await page.user.click(button('Back'))
  await page.user.type(await screen.findByLabelText('Email'), '.uk')
  await page.user.click(button('Continue'))
  const code = await screen.findByLabelText('Code')
  expect(code).toHaveProperty('value', '')
  await page.user.click(button('Continue'))
  await waitFor(() => expect(code).toBe(document.activeElement))
})

test('there is no account without the terms', async () => {
  const calls = mockEndpoint('POST /api/user/register', () => jun)
  const page = await draw()
  await answerUntilBirth(page)
  await enterBirth(page, '1994')
  await page.user.click(button('Continue'))
  expect(screen.getByText('Please agree to the terms to go on.')).toBeTruthy()
  expect(calls).toEqual([])
})

test('somebody under 18 is stopped, kindly and for good', async () => {
  const page = await draw()
  await answerUntilBirth(page)
  await enterBirth(page, String(new Date().getFullYear() - 15))
  await page.user.click(button('Continue'))
  expect(screen.getByText('Come back when you are 18')).toBe(document.activeElement)
  expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull()
})

test('Back keeps what was typed', async () => {
  const page = await draw()
  await answerUntilBirth(page)
  await page.user.click(button('Back'))
  expect(field('Name')).toHaveProperty('value', 'Jun')
})

test('a code that turns out wrong leads back to the code', async () => {
  mockEndpoint('POST /api/user/register', () => problem(401, 'invalid_credentials'))
  const page = await draw()
  await answerUntilBirth(page)
  await enterBirth(page, '1994')
  await page.user.click(screen.getByRole('checkbox'))
  await page.user.click(button('Continue'))
  expect(await screen.findByText(/This code does not fit/)).toBeTruthy()
  expect(field('Code')).toHaveProperty('value', '12345678')
})

test('who comes back goes on at the first question without an answer, and may leave it for later', async () => {
  signInAs(jun)
  mockEndpoint('GET /api/user/myDetails', () => ({ ...details, gender: 'man', interestedIn: ['woman'] }))
  const { user } = await draw()
  await screen.findByText('What do you hope for?')
  await user.click(button('Later'))
  expect(await screen.findByText('Where are you?')).toBeTruthy()
})

test('what was missing is not asked for any more once it is there', async () => {
  signInAs(jun)
  mockEndpoint('GET /api/user/myDetails', () => details)
  const { user } = await draw()
  await screen.findByText('Who are you, and who would you like to meet?')
  await user.click(button('Continue'))
  expect(screen.getByRole('alert').textContent).toBe('Choose one for yourself, and whom to meet.')
  await user.click(screen.getByLabelText('A man'))
  expect(screen.queryByRole('alert')).toBeTruthy()
  await user.click(button('Women'))
  expect(screen.queryByRole('alert')).toBeNull()
})
