import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { useSession } from '../../platform/session.ts'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import LoginScreen from './login-screen.tsx'

beforeEach(() => {
  sessionStorage.clear()
  signInAs(null)
})
afterEach(resetEndpoints)

const draw = () => renderPage(<LoginScreen />, { path: '/login', texts: ['entry', 'welcome'] })
const field = (name: string) => screen.getByLabelText(name)
const button = (name: string) => screen.getByRole('button', { name })

test('A code sent by email signs in and leads home', async () => {
  // Freeze the countdown.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  onTestFinished(() => void vi.useRealTimers())
  const mails = mockEndpoint('POST /api/user/requestOtp', () => ({ expiresIn: 600, resendIn: 30 }))
  const tries = mockEndpoint('POST /api/user/authenticate', () => jun)
  const { user } = await draw()
  await user.type(field('Email'), 'jun@example.org')
  await user.click(button('Send code'))
  expect(mails[0]?.body).toEqual({ email: 'jun@example.org' })
  expect(await screen.findByRole('button', { name: 'Send again in 30 s' })).toHaveProperty('disabled', true)
  await user.type(field('Code'), '1234 5678')
  await user.click(button('Sign in'))
  expect(tries[0]?.body).toEqual({ email: 'jun@example.org', otp: '12345678' })
  await screen.findByText('/home')
  expect(useSession.getState().user).toEqual(jun)
})

test('After a mistyped address a code can be sent to the right one immediately', async () => {
  const mails = mockEndpoint('POST /api/user/requestOtp', () => ({ expiresIn: 600, resendIn: 30 }))
  const { user } = await draw()
  await user.type(field('Email'), 'jun@example.or')
  await user.click(button('Send code'))
  await screen.findByText(/jun@example\.or\b/)
  await user.type(field('Email'), 'g')
  expect(screen.queryByText(/jun@example\.or\b/)).toBeNull()
  await user.click(button('Send code'))
  await waitFor(() =>
    expect(mails.map(({ body }) => body)).toEqual([{ email: 'jun@example.or' }, { email: 'jun@example.org' }]),
  )
})

test('A password signs in', async () => {
  const tries = mockEndpoint('POST /api/user/authenticate', () => jun)
  const { user } = await draw()
  await user.type(field('Email'), 'jun@example.org')
  expect(screen.queryByLabelText('Password')).toBeNull()
  await user.click(button('Use a password'))
  await user.type(field('Password'), 'correct horse{Enter}')
  expect(tries[0]?.body).toEqual({ email: 'jun@example.org', password: 'correct horse' })
  await screen.findByText('/home')
})

test('A recovery code signs in, and the device can stay signed in', async () => {
  const tries = mockEndpoint('POST /api/user/authenticate', () => jun)
  const { user } = await draw()
  await user.type(field('Email'), 'jun@example.org')
  expect(screen.getByRole('checkbox', { name: 'Stay signed in on this device' })).toHaveProperty('checked', false)
  await user.click(button('Use a recovery code'))
  await user.type(field('Recovery code'), 'abcd')
  await user.click(button('Sign in'))
  await screen.findByText('A recovery code has 16 letters and digits.')
  await user.type(field('Recovery code'), '-efgh-2345-abcd')
  await user.click(screen.getByRole('checkbox', { name: 'Stay signed in on this device' }))
  await user.click(button('Sign in'))
  const recoveryCode = 'abcd-efgh-2345-abcd'
  expect(tries.map(({ body }) => body)).toEqual([{ email: 'jun@example.org', staySignedIn: true, recoveryCode }])
  await screen.findByText('/home')
})

test('A wrong password is reported beside its field, and the text stays', async () => {
  mockEndpoint('POST /api/user/authenticate', () => problem(401, 'invalid_credentials'))
  const { user } = await draw()
  await user.type(field('Email'), 'jun@example.org')
  await user.click(button('Use a password'))
  await user.type(field('Password'), 'wrong')
  await user.click(button('Sign in'))
  await screen.findByText('That email and password don’t match.')
  expect(field('Password').getAttribute('aria-invalid')).toBe('true')
  expect(field('Password')).toHaveProperty('value', 'wrong')
})

test('A half-typed code doesn’t change the wrong-password message', async () => {
  mockEndpoint('POST /api/user/authenticate', () => problem(401, 'invalid_credentials'))
  const { user } = await draw()
  await user.type(field('Email'), 'jun@example.org')
  await user.type(field('Code'), '12')
  await user.click(button('Use a password'))
  await user.type(field('Password'), 'wrong{Enter}')
  await screen.findByText('That email and password don’t match.')
  await user.click(button('Use a code'))
  expect(field('Code')).toHaveProperty('value', '12')
  expect(field('Code').getAttribute('aria-invalid')).toBeNull()
})

test('A wrong field gets the focus when the form is submitted', async () => {
  mockEndpoint('POST /api/user/authenticate', () => problem(401, 'invalid_credentials'))
  const { user } = await draw()
  await user.click(button('Sign in'))
  await waitFor(() => expect(document.activeElement).toBe(field('Email')))
  await user.type(field('Email'), 'jun@example.org')
  await user.type(field('Code'), '12345678')
  await user.click(button('Sign in'))
  await waitFor(() => expect(document.activeElement).toBe(field('Code')))
  expect(field('Code').getAttribute('aria-invalid')).toBe('true')
})

test('No code is sent to an invalid email address', async () => {
  const mails = mockEndpoint('POST /api/user/requestOtp', () => ({ expiresIn: 600, resendIn: 30 }))
  const { user } = await draw()
  await user.type(field('Email'), 'jun')
  await user.click(button('Send code'))
  expect(screen.getByText(/Enter an email address/)).toBeTruthy()
  expect(mails).toEqual([])
})

test('After too many tries, the form says how long to wait', async () => {
  mockEndpoint('POST /api/user/requestOtp', () => problem(429, 'rate_limited', { 'retry-after': '12' }))
  const { user } = await draw()
  await user.type(field('Email'), 'jun@example.org')
  await user.click(button('Send code'))
  await screen.findByText('Too many tries. Try again in 12 seconds.')
})

test('A reload keeps the email address and the wait for the next code', async () => {
  mockEndpoint('POST /api/user/requestOtp', () => ({ expiresIn: 600, resendIn: 30 }))
  const { user, unmount } = await draw()
  await user.type(field('Email'), 'jun@example.org')
  await user.click(button('Send code'))
  await screen.findByText(/jun@example\.org/)
  unmount()
  await draw()
  expect(field('Email')).toHaveProperty('value', 'jun@example.org')
  expect(screen.getByRole('button', { name: /^Send again in/ })).toBeTruthy()
})

test('Visitors see what Duet is and can create an account', async () => {
  await draw()
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Two people, one conversation.')
  expect(screen.getByRole('link', { name: 'Create an account' }).getAttribute('href')).toBe('/signup')
  expect(await screen.findByRole('heading', { name: 'How Duet treats you' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Get started' }).getAttribute('href')).toBe('/signup')
})

test('The sign-in screen warns that reloading signs out when the browser stores nothing', async () => {
  vi.stubGlobal('localStorage', undefined)
  onTestFinished(() => void vi.unstubAllGlobals())
  await draw()
  expect(screen.getByText('Your browser isn’t storing data, so reloading signs you out.')).toBeTruthy()
})

test('Safari users who choose to stay signed in are warned that it lasts a week without a visit', async () => {
  const { user } = await draw()
  vi.spyOn(navigator, 'vendor', 'get').mockReturnValue('Apple Computer, Inc.')
  expect(screen.queryByText(/may sign you out after a week/)).toBeNull()
  await user.click(field('Stay signed in on this device'))
  expect(screen.getByText(/may sign you out after a week/)).toBeTruthy()
})

test('A link that was opened while signed out opens after signing in', async () => {
  sessionStorage.setItem('destination', '/likes')
  mockEndpoint('POST /api/user/authenticate', () => jun)
  const { user } = await draw()
  await user.type(field('Email'), 'jun@example.org')
  await user.click(button('Use a password'))
  await user.type(field('Password'), 'correct horse{Enter}')
  await screen.findByText('/likes')
})
