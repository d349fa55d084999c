import type { OpenReport } from '@duet/contract/reports.ts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mockEndpoint, problem, resetEndpoints } from '../../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../../test/render.tsx'
import { ReportQueue } from './queues.tsx'

const sentAt = '2026-05-01T12:00:00Z'
const mara = { id: 'u_mara', name: 'Mara' }
const said = (seq: number, by: 'reporter' | 'reported', text: string) =>
  ({ seq, by, text, sentAt, editedAt: null, deletedAt: null, attachment: null }) as const
const report = (receipt: string, more: Partial<OpenReport> = {}): OpenReport => ({
  receipt,
  reason: 'threats',
  severity: 'urgent',
  subject: { kind: 'message', seq: 2 },
  details: 'Since monday',
  createdAt: new Date().toISOString(),
  reporter: { id: 'u_ana', name: 'Ana' },
  reported: { id: 'u_ben', name: 'Ben' },
  language: 'en',
  evidence: { profile: null, photos: [], messages: [said(1, 'reporter', 'Hello'), said(2, 'reported', 'Pay or else')] },
  claim: null,
  mayDecide: true,
  trust: { decided: 4, upheldShare: 0.75 },
  others: [],
  strikes: 1,
  suggested: 'suspend',
  changedSince: null,
  ...more,
})

beforeEach(() => {
  signInAs({ ...jun, isSuperAdmin: true })
  mockEndpoint('PUT /api/admin/claims/:kind/:id', () => ({
    by: { id: jun.id, name: jun.name },
    until: new Date(Date.now() + 600_000).toISOString(),
  }))
  mockEndpoint('DELETE /api/admin/claims/:kind/:id', () => ({ ok: true }))
})
// Unmount while the mocked endpoints still exist, because unmounting sends a request to release the claim.
afterEach(() => {
  cleanup()
  resetEndpoints()
})

const draw = (path = '/admin?view=reports') =>
  renderPage(<ReportQueue />, { path, texts: ['moderation', 'reports', 'profiles', 'standing'] })
const answer = (...reports: OpenReport[]) =>
  mockEndpoint('GET /api/admin/reports', () => ({ reports, nextCursor: null }))
const address = () => screen.getByTestId('address').textContent

test('Opening a case claims it, and moving on releases the claim', async () => {
  answer(report('1111-2222'), report('3333-4444', { reason: 'spam', severity: 'normal' }))
  const claims = mockEndpoint('PUT /api/admin/claims/:kind/:id', () => ({
    by: { id: jun.id, name: jun.name },
    until: new Date(Date.now() + 600_000).toISOString(),
  }))
  const releases = mockEndpoint('DELETE /api/admin/claims/:kind/:id', () => ({ ok: true }))
  const { user } = await draw()
  await user.click(await screen.findByRole('button', { name: /Threats or violence/ }))
  await waitFor(() => expect(address()).toBe('/admin?view=reports&case=1111-2222'))
  expect(await screen.findByText(/Yours until/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Next case' }))
  await waitFor(() => expect(releases.map(({ url }) => url.pathname)).toEqual(['/api/admin/claims/report/1111-2222']))
  await waitFor(() =>
    expect(claims.map(({ url }) => url.pathname)).toEqual([
      '/api/admin/claims/report/1111-2222',
      '/api/admin/claims/report/3333-4444',
    ]),
  )
})

test('Leaving a case for the list adds no history entry', async () => {
  answer(report('1'))
  const { user } = await draw()
  await user.click(await screen.findByRole('button', { name: /Threats or violence/ }))
  await user.click(await screen.findByRole('button', { name: 'All cases' }))
  await waitFor(() => expect(address()).toBe('/admin?view=reports'))
  expect(window.history.state).toBeNull()
})

test('A case that another moderator has claimed names them and can’t be decided', { tags: 'long' }, async () => {
  const until = new Date(Date.now() + 480_000).toISOString()
  let claim: OpenReport['claim'] = null
  mockEndpoint('GET /api/admin/reports', () => ({ reports: [report('1', { claim })], nextCursor: null }))
  mockEndpoint('PUT /api/admin/claims/:kind/:id', () => {
    claim = { by: mara, until }
    return problem(409, 'conflict')
  })
  await draw('/admin?view=reports&case=1')
  expect(await screen.findByText('Mara is reviewing this. Claimed: 2 minutes ago.')).toBeTruthy()
  expect(screen.getByRole('button', { name: /^Suspend/ }).hasAttribute('disabled')).toBe(true)
})

test('Shortcut keys press the buttons of a case, except while someone types', async () => {
  answer(report('1'), report('2'))
  const { user } = await draw()
  await screen.findByRole('list', { name: 'Open reports' })
  await user.keyboard('j')
  await waitFor(() => expect(address()).toBe('/admin?view=reports&case=1'))
  await screen.findByText(/Yours until/)
  const words = await screen.findByText('Pay or else')
  expect(words.closest('[inert]')).toBeTruthy()
  await user.keyboard('o')
  expect(words.closest('[inert]')).toBeNull()
  await user.keyboard('d')
  const sheet = within(await screen.findByRole('dialog', { name: 'Dismiss this case about Ben?' }))
  await user.type(sheet.getByRole('textbox'), 'jb')
  expect(address()).toBe('/admin?view=reports&case=1')
  expect(screen.getAllByRole('dialog')).toHaveLength(1)
  await user.keyboard('{Escape}')
  await user.click(screen.getByRole('button', { name: 'Discard' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.keyboard('?')
  expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeTruthy()
})

test('A decision drafts its statement in the reported person’s language, and sends only the fields of its action', async () => {
  let reports = [report('1', { language: 'es' })]
  mockEndpoint('GET /api/admin/reports', () => ({ reports, nextCursor: null }))
  const decisions = mockEndpoint('POST /api/admin/reports/:receipt/decision', () => {
    reports = []
    return { ok: true }
  })
  const { user } = await draw('/admin?view=reports&case=1')
  await screen.findByText(/Yours until/)
  await user.click(screen.getByRole('button', { name: /^Suspend/ }))
  const sheet = within(await screen.findByRole('dialog', { name: 'Suspend Ben' }))
  const statement = sheet.getByRole<HTMLTextAreaElement>('textbox', { name: 'What you’ll tell the person' })
  await waitFor(() => expect(statement.value).toContain('Amenaza a alguien'))
  await user.selectOptions(sheet.getByRole('combobox', { name: 'Language of the text' }), 'en')
  await waitFor(() => expect(statement.value).toContain('A message you sent on May 1, 2026 was reported'))
  const preview = within(sheet.getByRole('region', { name: 'What the person will read' }))
  expect(await preview.findByText(/It threatens someone/)).toBeTruthy()
  expect(preview.getByText('a person, not automatically')).toBeTruthy()
  await user.click(sheet.getByRole('button', { name: 'Suspend' }))
  expect(await screen.findByText('No open reports. You’re done for now.')).toBeTruthy()
  expect(decisions.map(({ body }) => body)).toEqual([
    { action: 'suspend', ground: 'threats', statement: statement.value, note: '', days: 7, allOfSubject: false },
  ])
})

test('A ban needs a second confirmation', { tags: 'long' }, async () => {
  answer(report('1'))
  const decisions = mockEndpoint('POST /api/admin/reports/:receipt/decision', () => problem(403, 'forbidden'))
  const { user } = await draw('/admin?view=reports&case=1')
  await screen.findByText(/Yours until/)
  await user.click(screen.getByRole('button', { name: /^Ban/ }))
  const sheet = within(await screen.findByRole('dialog', { name: 'Ban Ben' }))
  await waitFor(() => expect(sheet.getByRole<HTMLTextAreaElement>('textbox', { name: /tell/ }).value).not.toBe(''))
  await user.click(sheet.getByRole('button', { name: 'Ban' }))
  const sure = within(await screen.findByRole('dialog', { name: 'Ban Ben for good?' }))
  expect(decisions).toHaveLength(0)
  await user.click(sure.getByRole('button', { name: 'Ban' }))
  expect(await screen.findByText(/You can’t decide this/)).toBeTruthy()
  expect(decisions).toHaveLength(1)
})

test('A moderator can’t decide or claim a report of their own', async () => {
  answer(report('1', { mayDecide: false }))
  const claims = mockEndpoint('PUT /api/admin/claims/:kind/:id', () => problem(404, 'not_found'))
  await draw('/admin?view=reports&case=1')
  expect(await screen.findByText(/You reported this yourself/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Ban/ })).toBeNull()
  expect(claims).toHaveLength(0)
})

test('A dossier is loaded only with a reason, after a warning that the view is logged', {
  tags: 'long',
}, async () => {
  answer(report('1'))
  const looks = mockEndpoint('GET /api/admin/dossiers/:userId', () => problem(500, 'internal'))
  const { user } = await draw('/admin?view=reports&case=1')
  await user.click(await screen.findByRole('button', { name: /Open the dossier/ }))
  const sheet = within(await screen.findByRole('dialog', { name: 'Ben’s dossier' }))
  expect(sheet.getByText(/The record keeps that you looked/)).toBeTruthy()
  await user.click(sheet.getByRole('button', { name: 'Show the dossier' }))
  expect(sheet.getByText('Give a reason in a few words.')).toBeTruthy()
  expect(looks).toHaveLength(0)
  await user.type(sheet.getByRole('textbox'), 'report 1')
  await user.click(sheet.getByRole('button', { name: 'Show the dossier' }))
  expect(await sheet.findByText('The dossier couldn’t be loaded.')).toBeTruthy()
  expect(looks.map(({ url }) => url.searchParams.get('reason'))).toEqual(['report 1'])
})

test('A dossier lists accounts that seem to be the same person, and opening theirs needs a reason of its own', async () => {
  answer(report('1'))
  const none = { open: 0, upheld: 0, dismissed: 0 }
  const looks = mockEndpoint('GET /api/admin/dossiers/:userId', () => ({
    ...{ id: 'u_ben', name: 'Ben', age: 30, area: null, photos: [], verified: false, isSuperAdmin: false },
    ...{ standing: 'good', standingUntil: null, createdAt: sentAt, strikes: 0, sanctions: [] },
    ...{ reportsAbout: none, reportsBy: { ...none, falseReports: 0 } },
    linked: [{ person: mara, standing: 'banned', signals: [{ kind: 'photo', count: 2 }] }],
  }))
  const { user } = await draw('/admin?view=reports&case=1')
  await user.click(await screen.findByRole('button', { name: /Open the dossier/ }))
  await user.type(await screen.findByRole('textbox', { name: 'Why do you need it?' }), 'report 1')
  await user.click(screen.getByRole('button', { name: 'Show the dossier' }))
  expect(await screen.findByText('2 photos that look the same')).toBeTruthy()
  expect(screen.getByText('Mara').parentElement?.textContent).toBe('Mara · Banned')
  await user.click(screen.getByRole('button', { name: 'Open Mara’s dossier' }))
  expect(await screen.findByRole('dialog', { name: 'Mara’s dossier' })).toBeTruthy()
  expect(screen.getByRole('textbox', { name: 'Why do you need it?' })).toHaveProperty('value', '')
  expect(looks).toHaveLength(1)
})
