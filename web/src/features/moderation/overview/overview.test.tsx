import type { DayCounts, Insights } from '@duet/contract/insights.ts'
import type { ModerationFigures } from '@duet/contract/moderation.ts'
import type { OpenReport } from '@duet/contract/reports.ts'
import { screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mockEndpoint, problem, resetEndpoints } from '../../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../../test/render.tsx'
import { OverviewView } from './overview-view.tsx'

const queue = (kind: ModerationFigures['queues'][number]['kind'], open: number, oldestAge: number | null) =>
  ({ kind, severity: null, open, oldestAge, medianAge: oldestAge }) as const
const figures = (queues: ModerationFigures['queues']): ModerationFigures => ({
  ...{ queues, weeks: [], decisions: [] },
  appeals: { decided: 0, reversed: 0, reversedShare: null },
})
const report = (receipt: string, reason: OpenReport['reason'], severity: OpenReport['severity'], name: string) =>
  ({ receipt, reason, severity, reported: { id: name, name }, createdAt: new Date().toISOString() }) as OpenReport
const days: DayCounts[] = Array.from({ length: 30 }, (_, place) => ({
  day: new Date(Date.UTC(2026, 0, 1 + place)).toISOString().slice(0, 10),
  ...{ likes: place < 23 ? 2 : 5, passes: 0, laters: 0, matches: place < 23 ? 0 : 1 },
}))
const insights = (accounts: number) =>
  ({ accounts, days, totals: { people: 800, activeWeek: 400, likesWeek: 1, matchesWeek: 1 } }) as unknown as Insights

beforeEach(() => signInAs({ ...jun, isSuperAdmin: true }))
afterEach(resetEndpoints)

async function draw(reports: OpenReport[], queues: ModerationFigures['queues'], accounts: number) {
  mockEndpoint('GET /api/admin/reports', () => ({ reports, nextCursor: null }))
  mockEndpoint('GET /api/admin/moderation/figures', () => figures(queues))
  mockEndpoint('GET /api/admin/insights', () => insights(accounts))
  return renderPage(<OverviewView />, { path: '/admin', texts: ['moderation', 'insights', 'reports'] })
}

test('The overview lists the five most serious reports, linked to their queue', async () => {
  const many = Array.from({ length: 7 }, (_, place) => report(`R-${place}`, 'threats', 'urgent', `Ben ${place}`))
  await draw(many, [], 10)
  const first = await screen.findByRole('list', { name: 'Needs you first' })
  const links = within(first).getAllByRole('link')
  expect(links).toHaveLength(5)
  expect(links[0]?.textContent).toMatch(/Threats.*Ben 0.*Urgent/)
  expect(links[0]?.getAttribute('href')).toBe('/admin?view=reports&case=R-0')
  expect(screen.getByRole('link', { name: 'All reports' }).getAttribute('href')).toBe('/admin?view=reports')
})

test('Each queue shows how many cases wait and the age of the oldest', async () => {
  const queues = [
    { ...queue('report', 2, 600), severity: 'urgent' as const },
    { ...queue('report', 3, 90_000), severity: 'normal' as const },
    queue('photo', 1, 7_200),
  ]
  await draw([], queues, 10)
  const waiting = await screen.findByRole('list', { name: 'Waiting' })
  const said = within(waiting)
    .getAllByRole('link')
    .map((link) => [link.getAttribute('href'), link.textContent])
  expect(said).toEqual([
    ['/admin?view=reports', 'ReportsOldest: 25 hours5'],
    ['/admin?view=appeals', 'AppealsNothing waiting0'],
    ['/admin?view=photos', 'PhotosOldest: 2 hours1'],
    ['/admin?view=verification', 'VerificationNothing waiting0'],
    ['/admin?view=review', 'ReviewNothing waiting0'],
  ])
})

test('An empty overview explains what will appear here', async () => {
  await draw([], [queue('photo', 0, null)], 0)
  expect(await screen.findByText(/^No open reports\. When someone reports/)).toBeTruthy()
  expect(await screen.findByText(/^New cases appear here/)).toBeTruthy()
  expect(await screen.findByText(/^No one is here yet/)).toBeTruthy()
})

test('The overview compares this week’s community figures with the week before', async () => {
  await draw([], [], 1200)
  const likes = await screen.findByRole('link', { name: /^Likes/ })
  expect(likes.textContent).toBe('Likes35in 7 days, 14 in the 7 before')
  expect(screen.getByRole('link', { name: /^People/ }).textContent).toContain('can be found, of 1,200 accounts')
  expect(screen.getByRole('link', { name: /^Matches/ }).textContent).toContain('7in 7 days, 0 in the 7 before')
})

test('A panel that fails to load shows an error, and the others still show', async () => {
  mockEndpoint('GET /api/admin/reports', () => ({ reports: [], nextCursor: null }))
  mockEndpoint('GET /api/admin/moderation/figures', () => figures([]))
  mockEndpoint('GET /api/admin/insights', () => problem(503, 'unavailable'))
  await renderPage(<OverviewView />, { path: '/admin', texts: ['moderation', 'insights', 'reports'] })
  expect(await screen.findByRole('button', { name: 'Retry' })).toBeTruthy()
  expect(await screen.findByRole('list', { name: 'Waiting' })).toBeTruthy()
})
