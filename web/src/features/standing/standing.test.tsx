import type { SharedDate } from '@duet/contract/dates.ts'
import type { OwnSanction, OwnStanding } from '@duet/contract/sanctions.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { call } from '../../platform/call.ts'
import { useSession } from '../../platform/session.ts'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import { StandingSection } from './standing.tsx'
import StandingScreen from './standing-screen.tsx'

const suspension: OwnSanction = {
  ...{ id: 's1', kind: 'suspension', ground: 'threats', statement: 'You threatened someone.', automated: false },
  ...{ item: null, createdAt: '2026-05-01T12:00:00Z', endsAt: '2126-05-08T12:00:00Z', liftedAt: null, liftedAs: null },
  ...{ appeal: null, appealUntil: '2126-11-01T12:00:00Z' },
}
const suspended: OwnStanding = { standing: 'suspended', until: suspension.endsAt, sanctions: [suspension] }
const good: OwnStanding = { standing: 'good', until: null, sanctions: [] }

beforeEach(() => {
  signInAs(jun)
  mockEndpoint('GET /api/erasure', () => ({ eraseAt: null }))
  mockEndpoint('GET /api/export', () => ({ state: 'none', progress: 0, url: null, expiresAt: null, bytes: null }))
  mockEndpoint('GET /api/consents', () => ({ consents: [] }))
  mockEndpoint('GET /api/dates', () => ({ dates: [] }))
})
afterEach(resetEndpoints)

const texts = ['standing', 'data-rights', 'accounts', 'dates']
const draw = () => renderPage(<StandingScreen />, { path: '/standing', texts })
const decisions = () => within(screen.getByRole('list', { name: 'Decisions about your account' }))

test('Any call answered with "suspended" locks everything but the standing screen', async () => {
  mockEndpoint('GET /api/user/myDetails', () => problem(403, 'suspended'))
  await expect(call('GET /api/user/myDetails')).rejects.toThrow()
  expect(useSession.getState().suspended).toBe(true)
  useSession.getState().forget()
  expect(useSession.getState().suspended).toBe(false)
})

test('A suspension shows its reason, rule, deciding side, end and remaining options', async () => {
  mockEndpoint('GET /api/standing', () => suspended)
  await draw()
  await screen.findByRole('heading', { level: 1, name: 'Your account is suspended' })
  expect(screen.getByText(/This lasts until May 8, 2126\./)).toBeTruthy()
  expect(decisions().getByText('You threatened someone.')).toBeTruthy()
  expect(decisions().getByText('Don’t threaten anyone.')).toBeTruthy()
  expect(decisions().getByText('a person, not automatically')).toBeTruthy()
  expect(decisions().getByText('You can appeal until November 1, 2126, free of charge.')).toBeTruthy()
  expect(await screen.findByRole('heading', { name: 'Your data' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Sign out' })).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Back to Duet' })).toBeNull()
})

test('The standing shows that messages weren’t delivered until the decision is reversed', async () => {
  const warning = { ...suspension, kind: 'warning', endsAt: null, undelivered: true } as const
  const reversed = { ...warning, id: 's2', liftedAt: suspension.createdAt, liftedAs: 'reversed' } as const
  mockEndpoint('GET /api/standing', () => ({ ...good, sanctions: [warning, reversed] }))
  await draw()
  await screen.findByRole('heading', { level: 1, name: 'Your account is in good standing' })
  expect(decisions().getAllByText(/weren’t delivered/)).toHaveLength(1)
})

const tonight: SharedDate = {
  ...{ id: 'd1', url: 'http://localhost/date/secret', place: 'Café Central', at: '2126-05-02T18:00:00Z', note: '' },
  ...{
    with: null,
    withName: null,
    checkInMinutes: 60,
    checkInAt: '2126-05-02T19:00:00Z',
    checkIn: 'due',
    checkedInAt: null,
  },
  ...{ contactEmail: 'ana@example.org', contactToldAt: null, contactUntold: false, expiresAt: '2126-05-03T18:00:00Z' },
}

test.each(['suspended', 'banned'] as const)('A shared date can be answered and ended while %s', async (standing) => {
  mockEndpoint('GET /api/standing', () => ({ ...suspended, standing }))
  mockEndpoint('GET /api/dates', () => ({ dates: [tonight] }))
  const answered = mockEndpoint('POST /api/dates/:id/checkIn', () => ({
    dates: [{ ...tonight, checkIn: 'checked_in' as const, checkedInAt: '2126-05-02T19:01:00Z' }],
  }))
  const ended = mockEndpoint('PATCH /api/dates/:id', () => ({ dates: [] }))
  const { user } = await draw()
  const dates = within(await screen.findByRole('region', { name: 'Shared dates' }))
  expect(dates.queryByRole('button', { name: 'Change' }) === null).toBe(standing === 'banned')
  await user.click(dates.getByRole('button', { name: 'I’m OK' }))
  expect(await dates.findByText(/You checked in at/)).toBeTruthy()
  await user.click(dates.getByRole('button', { name: 'Stop sharing' }))
  const dialog = await screen.findByRole('dialog', { name: 'Stop sharing “A date”?' })
  await user.click(within(dialog).getByRole('button', { name: 'Stop sharing' }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Shared dates' })).toBeNull())
  expect([answered.length, ended.map(({ body }) => body)]).toEqual([1, [{ ended: true }]])
})

test('Decisions about one person aren’t shown to the next', async () => {
  mockEndpoint('GET /api/standing', () => suspended)
  await draw()
  await screen.findByText('You threatened someone.')
  mockEndpoint('GET /api/standing', () => good)
  signInAs({ ...jun, id: 'u_maya', token: 'hers' })
  await screen.findByRole('heading', { level: 1, name: 'Your account is in good standing' })
  expect(screen.queryByText('You threatened someone.')).toBeNull()
})

test('An appeal needs a minimum length, is sent once, and then waits', async () => {
  mockEndpoint('GET /api/standing', () => suspended)
  const appeal = { text: 'It was not like that at all.', createdAt: suspension.createdAt, state: 'open' } as const
  const appealed = { ...suspension, appealUntil: null, appeal: { ...appeal, answer: null, decidedAt: null } }
  const sent = mockEndpoint('POST /api/appeals', () => ({ ...suspended, sanctions: [appealed] }))
  const { user } = await draw()
  await user.click(await screen.findByRole('button', { name: 'Appeal' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Appeal' }))
  await user.type(dialog.getByRole('textbox'), 'No.')
  await user.click(dialog.getByRole('button', { name: 'Send appeal' }))
  expect(dialog.getByText('Write at least 20 characters.')).toBeTruthy()
  expect(sent).toHaveLength(0)
  await user.clear(dialog.getByRole('textbox'))
  await user.type(dialog.getByRole('textbox'), appeal.text)
  await user.click(dialog.getByRole('button', { name: 'Send appeal' }))
  expect(await screen.findByText(/Someone who didn’t make the decision will review it/)).toBeTruthy()
  expect(sent.map(({ body }) => body)).toEqual([{ sanctionId: 's1', text: appeal.text }])
  expect(screen.queryByRole('button', { name: 'Appeal' })).toBeNull()
})

test('The end of a suspension opens the way back', async () => {
  useSession.getState().setSuspended(true)
  const answered = { text: 'It was not so.', createdAt: suspension.createdAt, state: 'reversed' } as const
  const appeal = { ...answered, answer: 'You are right, we are sorry.', decidedAt: suspension.createdAt }
  const over = {
    ...suspension,
    liftedAt: suspension.createdAt,
    liftedAs: 'reversed',
    appealUntil: null,
    appeal,
  } as const
  mockEndpoint('GET /api/standing', () => ({ ...good, sanctions: [over] }))
  await draw()
  await screen.findByRole('heading', { level: 1, name: 'Your account is in good standing' })
  expect(screen.getByRole('link', { name: 'Back to Duet' }).getAttribute('href')).toBe('/home')
  expect(decisions().getByText('You were right')).toBeTruthy()
  expect(decisions().getByText('You are right, we are sorry.')).toBeTruthy()
  expect(useSession.getState().suspended).toBe(false)
})

test('The settings show whether anything is restricted and past decisions', async () => {
  mockEndpoint('GET /api/standing', () => good)
  const { unmount } = await renderPage(<StandingSection />, { path: '/settings/safety' })
  expect(await screen.findByText('Nothing is restricted.')).toBeTruthy()
  unmount()
  const warning = { ...suspension, kind: 'warning', endsAt: null } as const
  mockEndpoint('GET /api/standing', () => ({ ...good, sanctions: [warning] }))
  await renderPage(<StandingSection />, { path: '/settings/safety' })
  expect(await screen.findByText('A warning')).toBeTruthy()
  expect(decisions().queryByText('Until')).toBeNull()
})

test('A standing that can’t be loaded shows an error and still allows signing out', async () => {
  mockEndpoint('GET /api/standing', () => problem(403, 'forbidden'))
  await draw()
  expect(await screen.findByText('Your standing couldn’t be loaded.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Sign out' })).toBeTruthy()
})
