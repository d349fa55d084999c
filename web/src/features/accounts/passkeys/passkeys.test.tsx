import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { toProblemError } from '../../../platform/problem.ts'
import { useSession } from '../../../platform/session.ts'
import { mockEndpoint, problem, resetEndpoints } from '../../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../../test/render.tsx'
import LoginScreen from '../login-screen.tsx'
import { StepUpHost, withStepUp } from '../step-up.tsx'
import { PasskeysWay } from './passkeys-way.tsx'

const proof = {
  ...{ id: 'AAAA', rawId: 'AAAA', type: 'public-key' as const },
  response: { clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA', userHandle: 'AA' },
}
const passkey = { id: 'p1', name: '1Password', synced: true, createdAt: new Date().toISOString(), lastUsedAt: null }
const texts = ['accounts', 'step-up', 'entry', 'ui', 'common', 'welcome']

function withDevice(answer: () => Promise<unknown>) {
  const get = vi.fn(async ({ mediation }: { mediation: string }) =>
    mediation === 'conditional' ? new Promise(() => undefined) : answer(),
  )
  vi.stubGlobal('PublicKeyCredential', {
    parseRequestOptionsFromJSON: (options: unknown) => options,
    parseCreationOptionsFromJSON: (options: unknown) => options,
    isConditionalMediationAvailable: async () => true,
  })
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: { get, create: answer } })
  return get
}
const given = async () => ({ toJSON: () => proof })
const notGiven = async () => {
  throw new DOMException('The operation was not allowed.', 'NotAllowedError')
}

beforeEach(() => {
  mockEndpoint('POST /api/user/passkeys/challenge', () => ({
    challenge: 'AA',
    rpId: 'localhost',
    userVerification: 'required',
  }))
  mockEndpoint('GET /api/user/passkeys', () => ({ passkeys: [passkey] }))
})
afterEach(() => {
  resetEndpoints()
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'credentials')
})

test('A passkey signs in, and the device can stay signed in', async () => {
  const get = withDevice(given)
  const sent = mockEndpoint('POST /api/user/passkeys/authenticate', () => jun)
  const { user } = await renderPage(<LoginScreen />, { texts })
  // The challenge is requested only once the email field has focus.
  expect(get).not.toHaveBeenCalled()
  await user.click(screen.getByRole('textbox', { name: 'Email' }))
  await waitFor(() => expect(get).toHaveBeenCalledWith(expect.objectContaining({ mediation: 'conditional' })))
  await user.click(screen.getByRole('checkbox', { name: 'Stay signed in on this device' }))
  await user.click(screen.getByRole('button', { name: 'Use a passkey' }))
  await waitFor(() => expect(useSession.getState().user?.id).toBe(jun.id))
  expect(sent[0]?.body).toEqual({ passkey: proof, staySignedIn: true })
})

test('An unknown passkey is reported, and a cancelled request isn’t', async () => {
  withDevice(given)
  mockEndpoint('POST /api/user/passkeys/authenticate', () => problem(401, 'invalid_credentials'))
  const { user } = await renderPage(<LoginScreen />, { texts })
  await user.click(screen.getByRole('button', { name: 'Use a passkey' }))
  expect((await screen.findByRole('alert')).textContent).toContain('doesn’t know that passkey')
  const get = withDevice(notGiven)
  await user.click(screen.getByRole('button', { name: 'Use a passkey' }))
  await waitFor(() => expect(get).toHaveBeenCalled())
  expect(screen.getAllByRole('alert')).toHaveLength(1)
})

test('A browser without passkeys offers none', async () => {
  await renderPage(<LoginScreen />, { texts })
  expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull()
})

test('A passkey confirms the person’s identity', async () => {
  signInAs(jun)
  withDevice(given)
  const sent = mockEndpoint('POST /api/user/passkeys/reauthenticate', () => ({ freshUntil: new Date().toISOString() }))
  const { user } = await renderPage(<StepUpHost />, { texts })
  const act = async () => {
    if (sent.length === 0) throw toProblemError(403, { code: 'reauthentication_required', title: '', detail: '' }, null)
    return 'done'
  }
  const result = withStepUp(act)
  await user.click(await screen.findByRole('button', { name: 'Use a passkey instead' }))
  expect(await result).toBe('done')
  expect(sent[0]?.body).toEqual({ passkey: proof })
})

test('A device that already has a passkey for this account shows a message', async () => {
  signInAs(jun)
  withDevice(async () => {
    throw new DOMException('', 'InvalidStateError')
  })
  mockEndpoint('POST /api/user/passkeys/options', () => ({}) as never)
  const { user } = await renderPage(<PasskeysWay />, { texts })
  await user.click(await screen.findByRole('button', { name: 'Add a passkey' }))
  expect(await screen.findByText('This device already has a passkey for your account.')).toBeTruthy()
  expect(screen.getByText('1Password')).toBeTruthy()
})
