import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CallResponse, EndpointName } from '../../platform/call.ts'
import { useSession } from '../../platform/session.ts'
import { mockEndpoint, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import { AccessSection } from './access-list.tsx'
import UndoScreen from './undo-screen.tsx'

const texts = ['accounts', 'entry']
let access = { email: jun.email, hasPassword: false, recoveryCodesLeft: 0 }

beforeEach(() => {
  signInAs(jun)
  mockEndpoint('GET /api/user/access', () => access)
  mockEndpoint('GET /api/user/passkeys', () => ({ passkeys: [] }))
  mockEndpoint('GET /api/user/identities', () => ({ identities: [] }))
})
afterEach(resetEndpoints)

const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

test('An email address is changed with the code that was sent to the new one', async () => {
  const asked = mockEndpoint('POST /api/user/addressChange', () => ({ expiresIn: 600, resendIn: 30 }))
  const confirmed = mockEndpoint('POST /api/user/addressChange/confirm', () => {
    access = { ...access, email: 'new@example.org' }
    return { email: access.email }
  })
  const { user } = await renderPage(<AccessSection>{null}</AccessSection>, { texts })
  await user.click(await screen.findByRole('button', { name: 'Change' }))
  await user.type(await screen.findByLabelText('New email'), 'new@example.org')
  await user.click(screen.getByRole('button', { name: 'Send code' }))
  await user.type(await screen.findByLabelText('Code'), '12345678')
  await user.click(screen.getByRole('button', { name: 'Change email' }))
  expect(await screen.findByText('new@example.org')).toBeTruthy()
  expect(asked.map(({ body }) => body)).toEqual([{ email: 'new@example.org' }])
  expect(confirmed.map(({ body }) => body)).toEqual([{ email: 'new@example.org', otp: '12345678' }])
  expect(useSession.getState().user?.email).toBe('new@example.org')
})

test('New recovery codes are shown once', async () => {
  const recoveryCodes = Array.from({ length: 10 }, (_, n) => `code-${n}`)
  mockEndpoint('POST /api/user/recoveryCodes', () => {
    access = { ...access, recoveryCodesLeft: 10 }
    return { recoveryCodes }
  })
  const { user } = await renderPage(<AccessSection>{null}</AccessSection>, { texts })
  await user.click(await screen.findByRole('button', { name: 'Create codes' }))
  const codes = await dialog('Recovery codes')
  await user.click(codes.getByRole('button', { name: 'Create codes' }))
  expect((await codes.findAllByRole('listitem')).map(({ textContent }) => textContent)).toEqual(recoveryCodes)
  await user.click(codes.getByRole('button', { name: 'I’ve saved them' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.queryByText('code-0')).toBeNull()
  expect(await screen.findByText('10 unused codes', { exact: false })).toBeTruthy()
})

function slowly<K extends EndpointName>(name: K, value: CallResponse<K>) {
  const waiting: (() => void)[] = []
  const asked = mockEndpoint(name, async () => {
    await new Promise<void>((resolve) => waiting.push(resolve))
    return value
  })
  return { asked, answer: async () => act(async () => waiting.shift()?.()) }
}

test('The dialog stays open until the new recovery codes show, because the old ones are already void', async () => {
  const { answer } = slowly('POST /api/user/recoveryCodes', { recoveryCodes: ['code-0'] })
  const { user } = await renderPage(<AccessSection>{null}</AccessSection>, { texts: [...texts, 'ui'] })
  await user.click(await screen.findByRole('button', { name: /codes/ }))
  const codes = await dialog('Recovery codes')
  await user.click(codes.getByRole('button', { name: 'Create codes' }))
  await user.click(codes.getByRole('button', { name: 'Not now' }))
  await user.keyboard('{Escape}')
  await answer()
  expect(await codes.findByText('code-0')).toBeTruthy()
  await user.keyboard('{Escape}')
  expect(codes.getByText('code-0')).toBeTruthy()
})

test('A change of email asks before it closes once its code was sent', async () => {
  mockEndpoint('POST /api/user/addressChange', () => ({ expiresIn: 600, resendIn: 30 }))
  const { user } = await renderPage(<AccessSection>{null}</AccessSection>, { texts: [...texts, 'ui'] })
  await user.click(await screen.findByRole('button', { name: 'Change' }))
  await user.type(await screen.findByLabelText('New email'), 'new@example.org')
  await user.click(screen.getByRole('button', { name: 'Send code' }))
  await screen.findByLabelText('Code')
  await user.keyboard('{Escape}')
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
  expect(screen.getByLabelText('Code')).toBeTruthy()
})

test('A dialog that was closed before its answer arrived starts over when reopened', async () => {
  const { answer } = slowly('POST /api/user/addressChange', { expiresIn: 600, resendIn: 30 })
  const { user } = await renderPage(<AccessSection>{null}</AccessSection>, { texts })
  await user.click(await screen.findByRole('button', { name: 'Change' }))
  await user.type(await screen.findByLabelText('New email'), 'new@example.org')
  await user.click(screen.getByRole('button', { name: 'Send code' }))
  await user.click(screen.getByRole('button', { name: 'Not now' }))
  await answer()
  await user.click(screen.getByRole('button', { name: 'Change' }))
  expect(await screen.findByLabelText('New email')).toHaveProperty('value', '')
})

test('An answer that arrives late doesn’t close the dialog that is open by then', async () => {
  const saving = slowly('PUT /api/user/password', { ok: true })
  const { user } = await renderPage(<AccessSection>{null}</AccessSection>, { texts })
  await user.click(await screen.findByRole('button', { name: /password/i }))
  await user.type(await screen.findByLabelText('New password'), 'a long enough password')
  await user.click(screen.getByRole('button', { name: 'Save password' }))
  await waitFor(() => expect(saving.asked).toHaveLength(1))
  await user.click(screen.getByRole('button', { name: 'Not now' }))
  await user.click(await screen.findByRole('button', { name: 'Change' }))
  await user.type(await screen.findByLabelText('New email'), 'new@')
  await saving.answer()
  expect(screen.getByLabelText('New email')).toHaveProperty('value', 'new@')
})

test('The link in an email restores an address only when its button is pressed', async () => {
  const undone = mockEndpoint('POST /api/user/addressChange/undo', () => ({ ok: true }))
  const { user } = await renderPage(<UndoScreen />, { path: '/undo-address#the-token', texts })
  expect(undone).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Undo the change' }))
  expect(await screen.findByRole('heading', { name: 'Your address is back' })).toBeTruthy()
  expect(undone.map(({ body }) => body)).toEqual([{ token: 'the-token' }])
})
