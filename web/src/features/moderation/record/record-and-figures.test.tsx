import type { AuditEntry, ModerationFigures } from '@duet/contract/moderation.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mockEndpoint, problem, resetEndpoints } from '../../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../../test/render.tsx'
import { FiguresView } from './figures-view.tsx'
import { RecordView } from './record-view.tsx'

beforeEach(() => signInAs({ ...jun, isSuperAdmin: true }))
afterEach(resetEndpoints)

const mara = { id: 'u_mara', name: 'Mara' }
const entry = (seq: number, more: Partial<AuditEntry>): AuditEntry => ({
  ...{ seq, at: '2026-05-01T12:00:00Z', actor: mara, action: 'report_decided', target: { kind: 'report' } },
  ...{ reason: '', details: {}, hash: 'ab', ...more },
})
const head = { seq: 3, hash: 'abcd' }
const entries = [
  entry(3, { reason: 'seen twice' }),
  entry(2, { actor: null, action: 'sanction_ended' }),
  entry(1, { actor: { id: 'u_noor', name: 'Noor' }, action: 'something_new' }),
]
const choices = { actors: [mara], actions: ['report_decided', 'sanction_ended'] }
const drawRecord = () => renderPage(<RecordView />, { path: '/admin?view=record', texts: ['moderation'] })
const rows = () => within(screen.getByRole('list', { name: 'Entries of the record' })).getAllByRole('listitem')

test('The record shows that its chain is intact, and can be filtered', async () => {
  const asked = mockEndpoint('GET /api/admin/audit', ({ url }) => {
    const actor = url.searchParams.get('actor')
    const fit = entries.filter((one) => actor === null || (one.actor?.id ?? 'duet') === actor)
    return { entries: url.searchParams.has('action') ? [] : fit, nextCursor: null, choices }
  })
  mockEndpoint('GET /api/admin/audit/chain', () => ({ entries: 3, firstBroken: null, head }))
  const { user } = await drawRecord()
  expect(await screen.findByText('The record is intact: 3 entries, each sealed by the next.')).toBeTruthy()
  expect(rows()).toHaveLength(3)
  expect(rows()[2]?.textContent).toContain('Noor · something new')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Who' }), 'Duet')
  await waitFor(() => expect(rows()).toHaveLength(1))
  expect(rows()[0]?.textContent).toContain('ended a sanction')
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-05-01' } })
  fireEvent.change(screen.getByLabelText(/^Until/), { target: { value: '2026-05-02' } })
  await user.selectOptions(screen.getByRole('combobox', { name: 'What' }), 'decided a report')
  expect(await screen.findByText(/Nothing in the record matches/)).toBeTruthy()
  const midnight = (day: string) => new Date(`${day}T00:00`).toISOString()
  expect(Object.fromEntries(asked.at(-1)?.url.searchParams ?? [])).toEqual({
    ...{ actor: 'duet', action: 'report_decided', from: midnight('2026-05-01'), to: midnight('2026-05-03') },
  })
})

test('The filters stay usable when a filtered record can’t be loaded', async () => {
  mockEndpoint('GET /api/admin/audit', ({ url }) =>
    url.searchParams.has('actor') ? problem(400, 'validation_failed') : { entries, nextCursor: null, choices },
  )
  mockEndpoint('GET /api/admin/audit/chain', () => ({ entries: 3, firstBroken: null, head }))
  const { user } = await drawRecord()
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Who' }), 'Mara')
  expect(await screen.findByText('The record couldn’t be loaded.')).toBeTruthy()
  await user.selectOptions(screen.getByRole('combobox', { name: 'Who' }), 'Everyone')
  await waitFor(() => expect(rows()).toHaveLength(3))
})

test('A record that was verified too often says when it can be verified again', async () => {
  mockEndpoint('GET /api/admin/audit', () => ({ entries, nextCursor: null, choices: null }))
  mockEndpoint('GET /api/admin/audit/chain', () => problem(429, 'rate_limited'))
  await drawRecord()
  expect(await screen.findByText(/only so often in an hour.*Try again in 1 hour\.$/)).toBeTruthy()
})

test('A changed entry of the record triggers an alert that names it', async () => {
  mockEndpoint('GET /api/admin/audit', () => ({ entries, nextCursor: null, choices: null }))
  mockEndpoint('GET /api/admin/audit/chain', () => ({ entries: 3, firstBroken: 2, head }))
  await drawRecord()
  expect((await screen.findByRole('alert')).textContent).toContain('entry 2 isn’t what was written')
})

const figures: ModerationFigures = {
  queues: [
    { kind: 'report', severity: 'urgent', open: 2, oldestAge: 7_200, medianAge: 600 },
    { kind: 'appeal', severity: null, open: 0, oldestAge: null, medianAge: null },
  ],
  weeks: [
    { week: '2026-04-27', dismissed: 3, warned: 1, removed: 0, restricted: 0, suspended: 1, banned: 0, automated: 0 },
    { week: '2026-05-04', dismissed: 0, warned: 0, removed: 0, restricted: 0, suspended: 0, banned: 1, automated: 1 },
  ],
  decisions: [{ severity: 'urgent', decided: 4, medianTime: 5_400 }],
  appeals: { decided: 4, reversed: 1, reversedShare: 0.25 },
}
const drawFigures = () => renderPage(<FiguresView />, { path: '/admin?view=figures', texts: ['moderation'] })

test('The figures show the age of queues, decisions, times and reversed appeals', async () => {
  mockEndpoint('GET /api/admin/moderation/figures', () => figures)
  await drawFigures()
  expect(await screen.findByText('Oldest: 2 hours. Half have waited over 10 minutes.')).toBeTruthy()
  expect(screen.queryByText('Appeals')).toBeNull()
  expect(screen.getByText('25%')).toBeTruthy()
  expect(screen.getByText('1 of 4 were reversed')).toBeTruthy()
  expect(screen.getByText('Duet decided 1 of these sanctions automatically.')).toBeTruthy()
  const table = within(screen.getByRole('table', { name: 'Outcomes by week' }))
  expect(table.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
    'Week ofDismissedWarnedRemovedRestrictedSuspendedBanned',
    'Apr 27310010',
    'May 4000001',
  ])
})

test('Empty figures say so, and figures that can’t be loaded show an error', async () => {
  mockEndpoint('GET /api/admin/moderation/figures', () => ({
    ...{ queues: [], weeks: [], decisions: [], appeals: { decided: 0, reversed: 0, reversedShare: null } },
  }))
  const { unmount } = await drawFigures()
  expect(await screen.findByText('Nothing is waiting.')).toBeTruthy()
  expect(screen.getAllByText('Nothing has been decided yet.')).toHaveLength(2)
  unmount()
  mockEndpoint('GET /api/admin/moderation/figures', () => problem(403, 'forbidden'))
  await drawFigures()
  expect(await screen.findByText('The figures couldn’t be loaded.')).toBeTruthy()
})
