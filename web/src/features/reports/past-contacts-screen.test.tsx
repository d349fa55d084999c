import type { PastContact } from '@duet/contract/reports.ts'
import { screen, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import PastContactsScreen from './past-contacts-screen.tsx'
import { useReportStore } from './report-store.ts'
import { ReportHost } from './reports.tsx'

const ben: PastContact = { id: 'u_ben', name: 'Ben', since: '2026-05-01T12:00:00Z', matched: true }

beforeAll(() => Promise.all([import('./report-dialog.tsx'), import('../../ui/overlay/dialog-panel.tsx')]))
beforeEach(() => {
  signInAs(jun)
  useReportStore.setState({ asked: undefined, open: false })
})
afterEach(resetEndpoints)

const draw = () =>
  renderPage(
    <>
      <PastContactsScreen />
      <ReportHost />
    </>,
    { texts: ['reports'] },
  )
const answer = (...people: PastContact[]) =>
  mockEndpoint('GET /api/reports/past-contacts', () => ({ people, nextCursor: null }))

test('A past contact can be reported, and the dialog lists the copied content', async () => {
  answer(ben, { ...ben, id: 'u_cleo', name: 'Cleo', matched: false })
  const sent = mockEndpoint('POST /api/reports', () => ({ receipt: '4821-0937' }))
  const { user } = await draw()
  const list = within(await screen.findByRole('list', { name: 'People you no longer see' }))
  expect(list.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
    expect.stringContaining('Matched '),
    expect.stringContaining('First message '),
  ])
  await user.click(list.getByRole('button', { name: 'Report Ben' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Report Ben' }))
  expect(dialog.getByText(/We copy your last messages/)).toBeTruthy()
  await user.click(dialog.getByRole('radio', { name: 'Harm when we met' }))
  await user.click(dialog.getByRole('button', { name: 'Send report' }))
  expect(await screen.findByText('Ben is blocked.')).toBeTruthy()
  expect(sent.map(({ body }) => body)).toMatchObject([{ userId: 'u_ben', subject: { kind: 'profile' } }])
})

test('The screen explains where to report other people when the list is empty', async () => {
  answer()
  await draw()
  expect(await screen.findByText(/There’s no one here/)).toBeTruthy()
})

test('The list reloads after a failure', async () => {
  mockEndpoint('GET /api/reports/past-contacts', () => problem(503, 'unavailable'))
  const { user } = await draw()
  expect(await screen.findByText('The list couldn’t be loaded.')).toBeTruthy()
  answer(ben)
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('Ben')).toBeTruthy()
})

test('A report without room for more words shows an error and keeps the typed text', async () => {
  answer(ben)
  mockEndpoint('POST /api/reports', () => problem(400, 'validation_failed'))
  const { user } = await draw()
  await user.click(await screen.findByRole('button', { name: 'Report Ben' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Report Ben' }))
  await user.click(dialog.getByRole('radio', { name: 'Something else' }))
  await user.type(dialog.getByRole('textbox'), 'Again')
  await user.click(dialog.getByRole('button', { name: 'Send report' }))
  expect(await dialog.findByText(/no room for that many words/)).toBeTruthy()
  expect(dialog.getByRole<HTMLTextAreaElement>('textbox').value).toBe('Again')
})
