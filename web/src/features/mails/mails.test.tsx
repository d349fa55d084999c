import type { MailState } from '@duet/contract/mails.ts'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import { MailNotices } from './mails.tsx'
import UnsubscribeScreen from './unsubscribe-screen.tsx'

beforeEach(() => signInAs(jun))
afterEach(resetEndpoints)

const notices = async (state: MailState) => {
  const asked = mockEndpoint('GET /api/mail', () => state)
  const page = await renderPage(<MailNotices />, { texts: ['mails'] })
  await waitFor(() => expect(asked).toHaveLength(1))
  return page
}
const unsubscribe = async (path = '/unsubscribe?token=abc') => {
  signInAs(null)
  return renderPage(<UnsubscribeScreen />, { path, texts: ['mails'] })
}

test('Nothing shows while emails arrive', async () => {
  await notices({ unreachableSince: null, stopped: [] })
  expect(screen.queryByRole('button')).toBeNull()
})

test('A mailbox that refuses emails is reported and can be retried', async () => {
  const { user } = await notices({ unreachableSince: '2026-11-20T10:00:00Z', stopped: [] })
  expect(await screen.findByText(/since 20 November 2026|since November 20, 2026/)).toBeTruthy()
  const retried = mockEndpoint('POST /api/mail/retry', () => ({ ok: true as const }))
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(screen.queryByRole('button')).toBeNull())
  expect(retried).toHaveLength(1)
})

test('Stopped emails can be turned on again, and a failure shows an error', async () => {
  const { user } = await notices({ unreachableSince: null, stopped: ['digest', 'messages'] })
  expect(await screen.findByText('You stopped emails about: summaries and messages.')).toBeTruthy()
  mockEndpoint('POST /api/mail/resume', () => problem(500, 'internal'))
  await user.click(screen.getByRole('button', { name: 'Turn on again' }))
  expect(await screen.findByText('That didn’t work. Please try again.')).toBeTruthy()
  const resumed = mockEndpoint('POST /api/mail/resume', () => ({ unreachableSince: null, stopped: [] }))
  await user.click(screen.getByRole('button', { name: 'Turn on again' }))
  await waitFor(() => expect(screen.queryByRole('button')).toBeNull())
  expect(resumed.at(-1)?.body).toEqual({ group: 'all' })
})

test('The link in an email stops nothing before its button is pressed', async () => {
  const stopped = mockEndpoint('POST /api/mail/unsubscribe', () => ({ group: 'matches' as const }))
  const { user } = await unsubscribe()
  expect(await screen.findByRole('heading', { name: 'Stop these emails?' })).toBeTruthy()
  expect(stopped).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Stop these emails' }))
  expect(await screen.findByText('We won’t email you about matches any more.')).toBeTruthy()
  expect(stopped.map(({ body }) => body)).toEqual([{ 'List-Unsubscribe': 'One-Click' }])
})

test('An incomplete unsubscribe link shows a message', async () => {
  mockEndpoint('POST /api/mail/unsubscribe', () => problem(404, 'not_found'))
  const { user } = await unsubscribe('/unsubscribe')
  await user.click(await screen.findByRole('button', { name: 'Stop these emails' }))
  expect(await screen.findByText(/This link isn’t complete/)).toBeTruthy()
})
