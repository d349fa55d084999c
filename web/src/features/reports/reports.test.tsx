import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { mockEndpoint, problem, resetEndpoints, type SeenCall } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import { type ReportRequest, useReportStore } from './report-store.ts'
import { OwnReports, ReportHost, useReport } from './reports.tsx'

const maya: ReportRequest = { userId: 'u_maya', name: 'Maya', subject: { kind: 'profile' } }
let sent: SeenCall[]

// Import the modules in advance, so that the first test doesn't wait for the imports.
beforeAll(() => Promise.all([import('./report-dialog.tsx'), import('../../ui/overlay/dialog-panel.tsx')]))
beforeEach(() => {
  signInAs(jun)
  useReportStore.setState({ asked: undefined, open: false })
  sent = mockEndpoint('POST /api/reports', () => ({ receipt: '4821-0937' }))
})
afterEach(resetEndpoints)

function Opener({ request }: { request: ReportRequest }) {
  const report = useReport()
  return (
    <button type="button" onClick={() => report(request)}>
      Report Maya
    </button>
  )
}

const draw = (request = maya) =>
  renderPage(
    <>
      <Opener request={request} />
      <ReportHost />
    </>,
    { texts: ['reports'] },
  )
const open = async (user: Awaited<ReturnType<typeof draw>>['user'], title = 'Report Maya') => {
  await user.click(screen.getByRole('button', { name: 'Report Maya' }))
  return within(await screen.findByRole('dialog', { name: title }))
}

test('A report takes three taps, with blocking on by default and details optional', async () => {
  const { user } = await draw()
  const dialog = await open(user)
  expect(dialog.getByText(/Maya is never told/)).toBeTruthy()
  await user.click(dialog.getByRole('radio', { name: 'Scam or asking for money' }))
  await user.click(dialog.getByRole('button', { name: 'Send report' }))
  expect(await screen.findByText('4821-0937')).toBeTruthy()
  expect(sent.map(({ body }) => body)).toEqual([
    { userId: 'u_maya', subject: { kind: 'profile' }, reason: 'scam', details: '', block: true },
  ])
})

test('The next person to sign in doesn’t see the report dialog of the one before', async () => {
  const { user } = await draw()
  await open(user)
  signInAs({ ...jun, id: 'u_kai', token: 'his' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('A report can’t be sent without a reason', async () => {
  const { user } = await draw()
  const dialog = await open(user)
  const send = dialog.getByRole('button', { name: 'Send report' })
  expect(send).toHaveProperty('disabled', true)
  await user.click(dialog.getByRole('radio', { name: 'Something else' }))
  expect(send).toHaveProperty('disabled', false)
})

test('The report dialog works by keyboard alone and returns the focus', async () => {
  const { user } = await draw({ ...maya, subject: { kind: 'message', seq: 7 } })
  screen.getByRole('button', { name: 'Report Maya' }).focus()
  await user.keyboard('{Enter}')
  const dialog = within(await screen.findByRole('dialog', { name: 'Report this message' }))
  const first = dialog.getByRole('radio', { name: 'Scam or asking for money' })
  for (let tabs = 0; tabs < 4 && document.activeElement !== first; tabs++) await user.tab()
  await user.keyboard(' ')
  await user.tab()
  await user.keyboard('She wants a gift card')
  await user.tab()
  await user.keyboard(' ')
  await user.tab()
  await user.keyboard('{Enter}')
  expect(await screen.findByText('4821-0937')).toBeTruthy()
  expect(sent[0]?.body).toMatchObject({
    subject: { kind: 'message', seq: 7 },
    details: 'She wants a gift card',
    block: false,
  })
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Report Maya' }))
})

test('The dialog shows immediate help for danger and blackmail', async () => {
  const { user } = await draw()
  const dialog = await open(user)
  expect(dialog.getByRole('status').textContent).toBe('')
  await user.click(dialog.getByRole('radio', { name: 'Blackmail with private images' }))
  expect(dialog.getByRole('status').textContent).toMatch(/^Don’t pay/)
  await user.click(dialog.getByRole('radio', { name: 'Threats or violence' }))
  expect(dialog.getByRole('status').textContent).toMatch(/emergency number/)
})

test.each([
  [problem(404, 'not_found'), /isn’t there any more/],
  [problem(429, 'rate_limited', { 'retry-after': '3600' }), /last report for today/],
  [problem(500, 'internal'), /wasn’t sent/],
])('A report that can’t be sent keeps the text and explains the failure', async (refusal, words) => {
  const { user } = await draw()
  mockEndpoint('POST /api/reports', () => refusal)
  const dialog = await open(user)
  await user.click(dialog.getByRole('radio', { name: 'Spam or advertising' }))
  await user.type(dialog.getByRole('textbox'), 'Links everywhere')
  await user.click(dialog.getByRole('button', { name: 'Send report' }))
  expect(await dialog.findByText(words)).toBeTruthy()
  expect(dialog.getByRole('textbox')).toHaveProperty('value', 'Links everywhere')
  expect(dialog.getByRole('radio', { name: 'Spam or advertising' })).toHaveProperty('checked', true)
})

test('A blocked person stays on screen until the receipt is closed', async () => {
  const onBlocked = vi.fn()
  const { user } = await draw({ ...maya, onBlocked })
  const dialog = await open(user)
  await user.click(dialog.getByRole('radio', { name: 'Fake profile' }))
  await user.click(dialog.getByRole('button', { name: 'Send report' }))
  await screen.findByText('4821-0937')
  expect(screen.getByText(/Maya is blocked/)).toBeTruthy()
  expect(onBlocked).not.toHaveBeenCalled()
  await user.click(screen.getByRole('button', { name: 'Done' }))
  expect(onBlocked).toHaveBeenCalledOnce()
})

test('A report without a block doesn’t claim one, and the dialog starts fresh the next time', async () => {
  const onBlocked = vi.fn()
  const { user } = await draw({ ...maya, onBlocked })
  let dialog = await open(user)
  await user.click(dialog.getByRole('radio', { name: 'Fake profile' }))
  await user.click(dialog.getByRole('switch', { name: /Block Maya as well/ }))
  await user.click(dialog.getByRole('button', { name: 'Send report' }))
  await screen.findByText('4821-0937')
  expect(screen.queryByText(/Maya is blocked/)).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Done' }))
  expect(onBlocked).not.toHaveBeenCalled()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  dialog = await open(user)
  expect(dialog.getAllByRole('radio').some((radio) => (radio as HTMLInputElement).checked)).toBe(false)
})

test('My reports show the person, the reason, the state and a kind outcome', async () => {
  const createdAt = new Date().toISOString()
  mockEndpoint('GET /api/reports', () => ({
    reports: [
      { receipt: '4821-0937', reason: 'scam', name: 'Maya', createdAt, state: 'open', outcome: null },
      { receipt: '1111-2222', reason: 'spam', name: 'Zed', createdAt, state: 'closed', outcome: null },
      { receipt: '3333-4444', reason: 'hate', name: 'Ida', createdAt, state: 'closed', outcome: 'upheld' },
      { receipt: '5555-6666', reason: 'other', name: 'Oto', createdAt, state: 'closed', outcome: 'dismissed' },
    ],
  }))
  await renderPage(<OwnReports />, { texts: ['reports', 'common'] })
  const rows = within(await screen.findByRole('list', { name: 'My reports' })).getAllByRole('listitem')
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'MayaScam or asking for money · Just now4821-0937Open',
    'ZedSpam or advertising · Just now1111-2222Closed',
    expect.stringMatching(/^Ida.*You were right: it broke our rules, and we’ve acted.*Closed$/),
    expect.stringMatching(/^Oto.*found nothing against our rules. It was right to tell us.*Closed$/),
  ])
})

test('Closing the dialog during sending shows the outcome in a toast and still removes a blocked person', async () => {
  let answer: (given: { receipt: string } | Response) => void = () => undefined
  mockEndpoint(
    'POST /api/reports',
    () =>
      new Promise((resolve) => {
        answer = resolve
      }),
  )
  const onBlocked = vi.fn()
  const { user } = await draw({ ...maya, onBlocked })
  const sendAndClose = async () => {
    const dialog = await open(user)
    await user.click(dialog.getByRole('radio', { name: 'Scam or asking for money' }))
    await user.click(dialog.getByRole('button', { name: 'Send report' }))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  }
  await sendAndClose()
  answer(problem(503, 'unavailable'))
  await screen.findByText(/The report wasn’t sent/)
  expect(onBlocked).not.toHaveBeenCalled()
  await sendAndClose()
  answer({ receipt: '4821-0937' })
  await screen.findByText('Thank you for telling us')
  expect(onBlocked).toHaveBeenCalledOnce()
})
