import type { OpenDate, SharedDate } from '@duet/contract/dates.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Route } from 'wouter'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import { ShareDate } from './dates.tsx'
import DatesScreen from './dates-screen.tsx'
import OpenDateScreen from './open-date-screen.tsx'

const hour = 3_600_000
const at = (ms: number) => new Date(Date.now() + ms).toISOString()
const shared = (change: Partial<SharedDate> = {}): SharedDate => ({
  ...{ id: 'd1', url: 'http://localhost/date/secret', place: 'Café Central', at: at(hour), note: 'By tram' },
  ...{ with: { id: 'u_ben', name: 'Ben', photo: null }, withName: 'Ben' },
  ...{ checkInMinutes: 60, checkInAt: at(2 * hour), checkIn: 'waiting', checkedInAt: null },
  ...{ contactEmail: 'ana@example.org', contactToldAt: null, contactUntold: false, expiresAt: at(25 * hour) },
  ...change,
})
const open = (change: Partial<OpenDate> = {}): OpenDate => ({
  ...{ who: { name: 'Jun', photo: null }, with: { name: 'Ben', photo: 'data:image/webp;base64,AA==' } },
  ...{ place: 'Café Central', at: at(hour), note: 'By tram', checkIn: 'waiting' },
  ...{ checkInAt: at(2 * hour), checkedInAt: null, expiresAt: at(25 * hour) },
  ...change,
})

beforeEach(() => signInAs(jun))
afterEach(() => {
  resetEndpoints()
  Reflect.deleteProperty(navigator, 'share')
})

test('The form to share a date creates a link that can be copied', async () => {
  const sent = mockEndpoint('POST /api/dates', () => shared())
  const { user } = await renderPage(
    <ShareDate open onOpenChange={() => undefined} person={{ id: 'u_ben', name: 'Ben' }} />,
    { texts: ['dates'] },
  )
  const dialog = await screen.findByRole('dialog', { name: 'Share a date' })
  expect(within(dialog).getByText(/Ben isn’t told/)).toBeTruthy()
  await user.click(within(dialog).getByRole('button', { name: 'Create link' }))
  expect(await screen.findByText('Enter where you’re meeting.')).toBeTruthy()
  expect(sent).toHaveLength(0)
  await user.type(within(dialog).getByLabelText('Where'), 'Café Central')
  await user.type(within(dialog).getByLabelText(/^Your contact’s email/), 'ana@example.org')
  await user.click(within(dialog).getByRole('button', { name: 'Create link' }))
  expect(await screen.findByText('http://localhost/date/secret')).toBeTruthy()
  expect(sent[0]?.body).toMatchObject({
    ...{ withUserId: 'u_ben', place: 'Café Central', checkInMinutes: 60, contactEmail: 'ana@example.org' },
  })
  await user.click(screen.getByRole('button', { name: 'Copy link' }))
  expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy()
  expect(await navigator.clipboard.readText()).toBe('http://localhost/date/secret')
})

test.each([
  ['time', 'When', '2027-02-03T20:15'],
  ['check-in', /^Check in with me/, ''],
])('A date form asks before it closes once the %s was changed', async (_field, label, value) => {
  const onOpenChange = vi.fn()
  const { user } = await renderPage(<ShareDate open onOpenChange={onOpenChange} />, { texts: ['dates', 'ui'] })
  fireEvent.change(await screen.findByLabelText(label), { target: { value } })
  await user.keyboard('{Escape}')
  expect(await screen.findByText('Discard your changes?')).toBeTruthy()
  expect(onOpenChange).not.toHaveBeenCalled()
})

test('A date form stays open until the date is shared, because only then its link is shown', async () => {
  const onOpenChange = vi.fn()
  const sent = mockEndpoint('POST /api/dates', () => new Promise<never>(() => undefined))
  const { user } = await renderPage(<ShareDate open onOpenChange={onOpenChange} />, { texts: ['dates', 'ui'] })
  await user.type(await screen.findByLabelText('Where'), 'Park')
  await user.click(screen.getByRole('button', { name: 'Create link' }))
  await waitFor(() => expect(sent).toHaveLength(1))
  await user.keyboard('{Escape}')
  expect(screen.queryByText('Discard your changes?')).toBeNull()
  expect(onOpenChange).not.toHaveBeenCalled()
})

test('A date that can’t be shared shows the reason in an alert', async () => {
  mockEndpoint('POST /api/dates', () => problem(409, 'conflict'))
  const { user } = await renderPage(<ShareDate open onOpenChange={() => undefined} />, { texts: ['dates'] })
  await user.type(await screen.findByLabelText('Where'), 'Park')
  await user.click(screen.getByRole('button', { name: 'Create link' }))
  const why = await screen.findByText(/doesn’t want emails about dates/)
  expect(why.closest('[role=alert]')).toBeTruthy()
})

test('The link is shared through the device’s share sheet where there is one', async () => {
  const share = vi.fn(() => Promise.resolve())
  Object.defineProperty(navigator, 'share', { configurable: true, value: share })
  mockEndpoint('GET /api/dates', () => ({ dates: [shared()] }))
  const { user } = await renderPage(<DatesScreen />, { texts: ['dates'] })
  await user.click(await screen.findByRole('button', { name: 'Send link' }))
  expect(share).toHaveBeenCalledWith({ title: 'Share a date', url: 'http://localhost/date/secret' })
})

test('A due check-in takes one press, and a date ends after a confirmation', async () => {
  mockEndpoint('GET /api/dates', () => ({ dates: [shared({ checkIn: 'due' })] }))
  const answered = mockEndpoint('POST /api/dates/:id/checkIn', () => ({
    dates: [shared({ checkIn: 'checked_in', checkedInAt: at(0), contactEmail: null })],
  }))
  const { user } = await renderPage(<DatesScreen />, { texts: ['dates'] })
  expect(await screen.findByText('Are you OK? Time to check in.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'I’m OK' }))
  expect((await screen.findByText(/You checked in at/)).getAttribute('role')).toBe('status')
  expect(answered).toHaveLength(1)
  const ended = mockEndpoint('PATCH /api/dates/:id', () => ({ dates: [] }))
  await user.click(screen.getByRole('button', { name: 'Stop sharing' }))
  const dialog = await screen.findByRole('dialog', { name: 'Stop sharing “With Ben”?' })
  await user.click(within(dialog).getByRole('button', { name: 'Stop sharing' }))
  expect(await screen.findByText(/No shared dates yet/)).toBeTruthy()
  expect(ended.map(({ body }) => body)).toEqual([{ ended: true }])
})

test('A date keeps the name of a person whose account is gone', async () => {
  mockEndpoint('GET /api/dates', () => ({ dates: [shared({ with: null })] }))
  await renderPage(<DatesScreen />, { texts: ['dates'] })
  expect(await screen.findByRole('heading', { name: 'With Ben' })).toBeTruthy()
})

test('Changing only the place of a date doesn’t send its time', async () => {
  mockEndpoint('GET /api/dates', () => ({ dates: [shared()] }))
  const sent = mockEndpoint('PATCH /api/dates/:id', () => ({ dates: [shared({ place: 'Park' })] }))
  const { user } = await renderPage(<DatesScreen />, { texts: ['dates'] })
  await user.click(await screen.findByRole('button', { name: 'Change' }))
  const place = await screen.findByLabelText('Where')
  await user.clear(place)
  await user.type(place, 'Park')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ place: 'Park' }]))
})

test('The owner reads that their contact couldn’t be told', async () => {
  mockEndpoint('GET /api/dates', () => ({ dates: [shared({ checkIn: 'missed', contactUntold: true })] }))
  await renderPage(<DatesScreen />, { texts: ['dates'] })
  expect(await screen.findByText(/couldn’t email your contact\. If you need them, call them/)).toBeTruthy()
})

test('The owner sees before the check-in that their contact declines emails', async () => {
  const declined = { contactEmail: null, contactUntold: true }
  mockEndpoint('GET /api/dates', () => ({ dates: [shared(declined)] }))
  await renderPage(<DatesScreen />, { texts: ['dates'] })
  expect(await screen.findByText(/Your contact doesn’t want emails about dates/)).toBeTruthy()
  expect(screen.queryByText(/we’ll email/)).toBeNull()
})

test('The owner sees that their contact was emailed about the previous time, and will be emailed again', async () => {
  mockEndpoint('GET /api/dates', () => ({ dates: [shared({ contactToldAt: at(-hour) })] }))
  await renderPage(<DatesScreen />, { texts: ['dates'] })
  expect(await screen.findByText(/We emailed your contact at/)).toBeTruthy()
  expect(screen.getByText(/If you don’t answer, we’ll email ana@example.org/)).toBeTruthy()
})

async function visit(date: OpenDate | Response, path = '/date/secret') {
  signInAs(null)
  mockEndpoint('GET /api/shared-dates/:token', () => date)
  const page = (
    <Route path="/date/:token/:key?">
      <OpenDateScreen />
    </Route>
  )
  return renderPage(page, { path, texts: ['dates'] })
}

test('The holder of a link reads who meets, where, when and the note', async () => {
  await visit(open())
  expect(await screen.findByRole('heading', { name: 'Jun is meeting Ben' })).toBeTruthy()
  expect(screen.getByRole('img', { name: 'Ben' })).toBeTruthy()
  for (const text of ['Café Central', 'By tram']) expect(screen.getByText(text)).toBeTruthy()
  expect(screen.getByText(/Jun plans to check in by/)).toBeTruthy()
})

test('A missed check-in is shown with advice on what to do', async () => {
  await visit(open({ checkIn: 'missed', with: null }))
  expect(await screen.findByRole('heading', { name: 'Jun has a date' })).toBeTruthy()
  expect(screen.getByText(/Jun hasn’t checked in since/)).toBeTruthy()
  expect(screen.getByText(/call the police/)).toBeTruthy()
})

test('An invalid link to a shared date shows a message', async () => {
  await visit(problem(404, 'not_found'))
  expect(await screen.findByText(/The link is wrong, or the date is over/)).toBeTruthy()
})

test('The shared page keeps refetching after a failed request', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  await visit(open())
  await screen.findByText(/Jun plans to check in by/)
  mockEndpoint('GET /api/shared-dates/:token', () => problem(503, 'unavailable'))
  await act(() => vi.advanceTimersByTimeAsync(30_000))
  expect(await screen.findByText(/What you see may be out of date/)).toBeTruthy()
  mockEndpoint('GET /api/shared-dates/:token', () => open({ checkIn: 'missed' }))
  await act(() => vi.advanceTimersByTimeAsync(30_000))
  expect(await screen.findByText(/Jun hasn’t checked in since/)).toBeTruthy()
  expect(screen.queryByText(/What you see may be out of date/)).toBeNull()
  vi.useRealTimers()
})

test('A contact who was emailed can stop further emails', async () => {
  const { user } = await visit(open(), '/date/stop/key123')
  const declined = mockEndpoint('POST /api/declined-contacts', () => ({ ok: true as const }))
  await user.click(await screen.findByRole('button', { name: 'Stop these emails' }))
  expect(await screen.findByRole('heading', { name: 'Done' })).toBeTruthy()
  expect(declined.map(({ body }) => body)).toEqual([{ key: 'key123' }])
})

test('Saving a note doesn’t overwrite a place that another device has changed', async () => {
  let place = 'Café Central'
  mockEndpoint('GET /api/dates', () => ({ dates: [shared({ place })] }))
  const sent = mockEndpoint('PATCH /api/dates/:id', () => ({ dates: [shared()] }))
  const { user, queryClient } = await renderPage(<DatesScreen />, { texts: ['dates', 'ui'] })
  await user.click(await screen.findByRole('button', { name: 'Change' }))
  const dialog = within(await screen.findByRole('dialog'))
  place = 'The park'
  await act(() => queryClient.invalidateQueries({ queryKey: ['dates'] }))
  await waitFor(() => expect(dialog.getByLabelText('Where')).toHaveProperty('value', 'The park'))
  await user.type(dialog.getByLabelText('Anything else (optional)'), ' or bus')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ note: 'By tram or bus' }]))
})
