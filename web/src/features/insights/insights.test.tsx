import type { DayCounts, Exposure, Funnel, Insights, Model } from '@duet/contract/insights.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import { ModelsView, PeopleView, PoolView } from './insights.tsx'

beforeEach(() => signInAs({ ...jun, isSuperAdmin: true }))
afterEach(resetEndpoints)

const days: DayCounts[] = Array.from({ length: 30 }, (_, place) => ({
  day: new Date(Date.UTC(2026, 0, 1 + place)).toISOString().slice(0, 10),
  likes: place,
  passes: 2 * place,
  laters: 0,
  matches: place === 29 ? 3 : 0,
}))
const shared = (gini: number): Exposure => ({
  cards: 1000,
  gini,
  genders: [{ gender: 'woman', people: 4, gini: 0.61 }],
  groups: [
    { by: 'gender', group: 'nonbinary', people: 12, ratio: 0.8 },
    { by: 'age', group: '18', people: 310, ratio: 1.24 },
    { by: 'age', group: '60', people: 44, ratio: 0.61 },
    { by: 'tenure', group: '7', people: 1, ratio: 1.4 },
  ],
  neverShown: 0.25,
  matchesPer100: 0.5,
})
const noOne = { people: 0, genders: { woman: 0, man: 0, nonbinary: 0, unsaid: 0 }, activeWeek: 0, likesWeek: 0 }
const crowd = { ...noOne, matchesWeek: 0 }
const insights: Insights = {
  measuredAt: new Date().toISOString(),
  sample: null,
  accounts: 1200,
  totals: { ...crowd, people: 1000, activeWeek: 400, likesWeek: 77 },
  places: 60,
  areas: Array.from({ length: 12 }, (_, place) => ({ ...crowd, area: `Place ${place}`, people: 100 - place })),
  week: shared(0.5),
  month: shared(0.3),
  days,
  newcomers: {
    people: 8,
    guarantee: 50,
    hours: 48,
    median: 31,
    reached: 0.25,
    steps: [0, 1, 10, 25, 50].map((from) => ({ from, people: from === 50 ? 2 : 0 })),
  },
}
const drawPool = (given: Insights = insights) => {
  mockEndpoint('GET /api/admin/insights', () => given)
  return renderPage(<PoolView />, { texts: ['insights'] })
}

test('The pool view shows its six key figures', async () => {
  await drawPool()
  const now = await screen.findByRole('region', { name: 'People right now' })
  expect(within(now).getByText('1,000')).toBeTruthy()
  expect(within(now).getByText('can be found, of 1,200 accounts')).toBeTruthy()
  expect(within(now).getByText('40% in the last 7 days')).toBeTruthy()
  expect(within(now).getByText('0.50')).toBeTruthy()
})

test('A table gives screen readers the figures of every day', async () => {
  await drawPool()
  const table = await screen.findByRole('table', { name: 'Decisions and matches by day' })
  const rows = within(table).getAllByRole('row')
  expect(rows).toHaveLength(31)
  expect(rows.at(-1)?.textContent).toBe('Jan 302958' + '03')
})

test('How evenly cards are shared can be shown for a week or a month', async () => {
  const { user } = await drawPool()
  await screen.findByText('Gini coefficient: Everyone')
  const everybody = () => screen.getByText('Gini coefficient: Everyone').closest('li')?.textContent
  expect(everybody()).toContain('0.50')
  await user.click(screen.getByRole('radio', { name: '30 days' }))
  expect(everybody()).toContain('0.30')
})

test('Newcomers are compared with the promised number of cards', async () => {
  await drawPool()
  expect(await screen.findByText('got their 50 cards')).toBeTruthy()
  const list = screen.getByRole('list', { name: 'Newcomers by how often they were shown' })
  const names = within(list)
    .getAllByRole('listitem')
    .map(({ firstChild }) => firstChild?.textContent)
  expect(names).toEqual(['No cards', '1–9 cards', '10–24 cards', '25–49 cards', '50 cards or more'])
})

test('The table shows ten places, then all of them', async () => {
  const { user } = await drawPool()
  const table = await screen.findByRole('table', { name: 'By location' })
  expect(within(table).getAllByRole('rowheader')).toHaveLength(10)
  await user.click(screen.getByRole('button', { name: 'Show 2 more' }))
  expect(within(table).getAllByRole('rowheader')).toHaveLength(12)
})

test('The exposure card compares groups by gender, age and time on Duet', async () => {
  await drawPool()
  const card = within((await screen.findByRole('heading', { name: 'Who is shown' })).closest('section') as HTMLElement)
  const told = card.getAllByRole('listitem').map((item) => item.textContent?.replace(/\s+/g, ' '))
  expect(told).toEqual([
    'Nonbinary 12 people0.80 ×',
    '18–29 310 people1.24 ×',
    '60 and above 44 people0.61 ×',
    'First week 1 person1.40 ×',
  ])
})

test('An estimate is marked as one', async () => {
  await drawPool({ ...insights, sample: 2000 })
  expect(await screen.findByText(/estimated from 2,000 people/)).toBeTruthy()
})

test('An empty pool explains what is missing', async () => {
  const none: Exposure = { cards: 0, gini: null, genders: [], groups: [], neverShown: null, matchesPer100: null }
  const idle = days.map(({ day }) => ({ day, likes: 0, passes: 0, laters: 0, matches: 0 }))
  await drawPool({
    ...insights,
    totals: crowd,
    areas: [],
    places: 0,
    week: none,
    month: none,
    days: idle,
    newcomers: { ...insights.newcomers, people: 0, median: null, reached: null },
  })
  expect(await screen.findByText('No decisions in the last 30 days.')).toBeTruthy()
  expect(screen.getByText('No cards were shown in this period.')).toBeTruthy()
  expect(screen.getByText(/^No cards were shown in the last 7 days/)).toBeTruthy()
  expect(screen.getByText('No one finished their first 48 hours in the last 7 days.')).toBeTruthy()
  expect(screen.getByText('No one has added a location.')).toBeTruthy()
})

test('Figures that can’t be loaded can be requested again', async () => {
  mockEndpoint('GET /api/admin/insights', () => problem(503, 'unavailable'))
  const { user } = await renderPage(<PoolView />, { texts: ['insights'] })
  const retry = await screen.findByRole('button', { name: 'Retry' })
  mockEndpoint('GET /api/admin/insights', () => insights)
  await user.click(retry)
  expect(await screen.findByText('Last 30 days')).toBeTruthy()
})

const ines = {
  id: 'u_ines',
  name: 'Ines',
  email: '',
  area: 'Lisbon',
  createdAt: '2026-01-02T00:00:00Z',
  activeAt: new Date().toISOString(),
}
const funnel: Funnel = {
  person: ines,
  state: 'paused',
  everybody: 4000,
  steps: [
    { filter: 'distance', remaining: 200, alone: 3 },
    { filter: 'gender', remaining: 100, alone: 12 },
    { filter: 'ages', remaining: 60, alone: 40 },
    { filter: 'own_dealbreakers', remaining: 60, alone: 0 },
    { filter: 'their_dealbreakers', remaining: 60, alone: 0 },
    { filter: 'apart', remaining: 60, alone: 0 },
    { filter: 'decided', remaining: 1, alone: 39 },
  ],
  remaining: 1,
  costliest: 'ages',
}
const drawPeople = (path = '/admin?view=people') => renderPage(<PeopleView />, { path, texts: ['insights'] })

test('Looking up a person and going back restores the search', async () => {
  const asked = mockEndpoint('GET /api/admin/people', () => ({ people: [ines] }))
  mockEndpoint('GET /api/admin/people/:userId/funnel', () => funnel)
  const { user } = await drawPeople()
  expect(await screen.findByText(/Type an email address or the start of a name/)).toBeTruthy()
  await user.type(screen.getByRole('searchbox', { name: 'Email address or name' }), 'ine')
  await user.click(await screen.findByRole('link', { name: /Ines/ }))
  expect(asked.map(({ url }) => url.searchParams.get('query'))).toEqual(['ine'])
  expect(await screen.findByRole('heading', { name: 'Who’s left for Ines' })).toBeTruthy()
  await user.click(screen.getByRole('link', { name: 'Back to search' }))
  expect(await screen.findByRole('searchbox')).toHaveProperty('value', 'ine')
  expect(screen.getByTestId('address').textContent).toBe('/admin?view=people&query=ine')
})

test('A search without results repeats the query', async () => {
  mockEndpoint('GET /api/admin/people', () => ({ people: [] }))
  await drawPeople('/admin?view=people&query=zz')
  expect(await screen.findByText('No one has the email address “zz” or a name that starts like that.')).toBeTruthy()
})

test('A funnel shows the loss at each step and the costliest filter', async () => {
  mockEndpoint('GET /api/admin/people/:userId/funnel', () => funnel)
  await drawPeople('/admin?view=people&person=u_ines')
  const steps = (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent)
  expect(steps).toEqual([
    'Everyone else who can be found4,000',
    'Within distance, both ways95% lost200',
    'Gender, both ways50% lost100',
    'Ages, both ways40% lost60',
    'Their own dealbreakersno one lost60',
    'Other people’s dealbreakersno one lost60',
    'Not blocked or unmatchedno one lost60',
    'Not decided on yet98.3% lost1',
  ])
  expect(screen.getByText('1 person left')).toBeTruthy()
  expect(screen.getByText(/^Age alone keeps out 40 people/)).toBeTruthy()
  expect(screen.getByText(/the profile is paused/)).toBeTruthy()
})

test('A person who is gone is reported as gone', async () => {
  mockEndpoint('GET /api/admin/people/:userId/funnel', () => problem(404, 'not_found'))
  await drawPeople('/admin?view=people&person=u_gone')
  expect(await screen.findByText('This person is no longer here.')).toBeTruthy()
})

const models: Model[] = [
  {
    version: 2,
    trainedAt: '2026-02-02T02:00:00Z',
    active: true,
    metrics: { before_x: 1, decisions: 5100, logLoss: 0.61 },
  },
  { version: 1, trainedAt: '2026-02-01T02:00:00Z', active: false, metrics: {} },
  { version: 0, trainedAt: null, active: false, metrics: {} },
]

test('Switching to an older model needs a confirmation', async () => {
  mockEndpoint('GET /api/admin/models', () => ({ models }))
  const used = mockEndpoint('PUT /api/admin/models/:version/active', ({ url }) => ({
    models: models.map((model) => ({ ...model, active: url.pathname.includes(`/${model.version}/`) })),
  }))
  const { user } = await renderPage(<ModelsView />, { texts: ['insights'] })
  const list = await screen.findByRole('list', { name: 'Models' })
  expect(within(list).getByText('Decisions used for training')).toBeTruthy()
  expect(within(list).queryByRole('button', { name: 'Use version 2' })).toBeNull()
  await user.click(within(list).getByRole('button', { name: 'Use the defaults' }))
  const dialog = await screen.findByRole('dialog', { name: 'Rank with the built-in defaults?' })
  expect(used).toHaveLength(0)
  await user.click(within(dialog).getByRole('button', { name: 'Use the defaults' }))
  await waitFor(() => expect(within(list).getByRole('button', { name: 'Use version 2' })).toBeTruthy())
  expect(used[0]?.url.pathname).toBe('/api/admin/models/0/active')
})

test('The defaults are in use before any training', async () => {
  mockEndpoint('GET /api/admin/models', () => ({
    models: [{ version: 0, trainedAt: null, active: true, metrics: {} }],
  }))
  await renderPage(<ModelsView />, { texts: ['insights'] })
  expect(await screen.findByText(/Nothing has been trained yet/)).toBeTruthy()
  expect(screen.getByText('In use')).toBeTruthy()
})
