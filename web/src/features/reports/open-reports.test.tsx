import type { Evidence, OpenReport } from '@duet/contract/reports.ts'
import { screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import { OpenReports } from './open-reports.tsx'

beforeEach(() => signInAs({ ...jun, isSuperAdmin: true }))
afterEach(resetEndpoints)

const sentAt = '2026-05-01T12:00:00Z'
const said = (seq: number, by: 'reporter' | 'reported', text: string) =>
  ({ seq, by, text, sentAt, editedAt: null, deletedAt: null, attachment: null }) as const
const photo = { fileName: 'a.webp', url: '/media/evidence/a.webp?x=1', alt: '', width: 3, height: 4, blurhash: '' }
const evidence: Evidence = {
  profile: null,
  photos: [],
  messages: [said(1, 'reporter', 'Hello'), said(2, 'reported', 'Pay or else')],
}
const report = (receipt: string, more: Partial<OpenReport> = {}): OpenReport => ({
  receipt,
  reason: 'threats',
  severity: 'urgent',
  subject: { kind: 'message', seq: 2 },
  details: 'Since monday',
  createdAt: new Date().toISOString(),
  reporter: { id: 'u_ana', name: 'Ana' },
  reported: { id: 'u_ben', name: 'Ben' },
  evidence,
  ...more,
})
const draw = () => renderPage(<OpenReports />, { path: '/admin?view=reports', texts: ['reports', 'profiles'] })
const answer = (...reports: OpenReport[]) =>
  mockEndpoint('GET /api/admin/reports', () => ({ reports, nextCursor: null }))

test('keeps the evidence out of sight and out of reach until it is asked for', async () => {
  answer(report('1111-2222'))
  const { user } = await draw()
  await screen.findByRole('heading', { name: 'Threats or violence' })
  const words = screen.getByText('Pay or else')
  expect(words.closest('[inert]')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Show the evidence' }))
  expect(words.closest('[inert]')).toBeNull()
  const rows = within(screen.getByRole('list', { name: 'Copied messages' })).getAllByRole('listitem')
  expect(rows.map(({ textContent }) => /this one was reported/.test(textContent ?? ''))).toEqual([false, true])
})

test('pictures stay blurred until each is clicked, and say so', async () => {
  const gone = { ...photo, fileName: null, url: null }
  answer(report('1', { subject: { kind: 'profile' }, evidence: { ...evidence, messages: [], photos: [photo, gone] } }))
  const { user } = await draw()
  await user.click(await screen.findByRole('button', { name: 'Show the evidence' }))
  const picture = screen.getByRole('button', { name: 'Look at photo 1' })
  expect(picture.getAttribute('aria-pressed')).toBe('false')
  expect(picture.innerHTML).toContain('blur-xl')
  await user.click(picture)
  expect(picture.getAttribute('aria-pressed')).toBe('true')
  expect(picture.innerHTML).not.toContain('blur-xl')
  expect(screen.getByText('The file was gone before the report.')).toBeTruthy()
})

test('reads on page by page, and names people whose account is gone', async () => {
  mockEndpoint('GET /api/admin/reports', ({ url }) =>
    url.searchParams.get('cursor')
      ? { reports: [report('2', { reporter: null })], nextCursor: null }
      : { reports: [report('1')], nextCursor: 'next' },
  )
  const { user } = await draw()
  await user.click(await screen.findByRole('button', { name: 'Show more' }))
  expect(await screen.findByText('An account that is gone')).toBeTruthy()
  expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(2)
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
})

test('says that nothing waits, and what to do when the list cannot be read', async () => {
  answer()
  const { unmount } = await draw()
  expect(await screen.findByText('No report is waiting. You are done for now.')).toBeTruthy()
  unmount()
  mockEndpoint('GET /api/admin/reports', () => problem(500, 'internal'))
  await draw()
  expect(await screen.findByText('The reports could not be loaded.')).toBeTruthy()
  expect(screen.getByRole('button', { name: /again|retry/i })).toBeTruthy()
})
