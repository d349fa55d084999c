import type { Notification } from '@duet/contract/notifications.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { notificationHandlers } from '../../app/events/notifications.events.ts'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import { NotificationsBell } from './notifications.tsx'

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const make = (id: string, more: Partial<Notification> = {}): Notification => ({
  id,
  kind: 'message',
  params: { name: id, preview: 'Hello' },
  title: id,
  message: 'Hello',
  type: 'message',
  timestamp: ago(5),
  read: false,
  ...more,
})

// Import the modules in advance, so that the first test doesn't wait for the imports.
beforeAll(() => Promise.all([import('./notification-list.tsx'), import('../../ui/overlay/popover-panel.tsx')]))
beforeEach(() => signInAs(jun))
afterEach(resetEndpoints)

const bell = () => screen.getByRole('button', { name: 'Notifications' })
const popover = () => screen.findByRole('dialog', { name: 'Notifications' })

async function open(list: Notification[]) {
  mockEndpoint('GET /api/notifications', () => ({ notifications: list }))
  const page = await renderPage(<NotificationsBell />, { texts: ['notifications'] })
  await page.user.click(bell())
  await popover()
  if (list.length > 0) await screen.findAllByRole('listitem')
  return page
}

test('The badge shows the unread count as text, and the button keeps its name', async () => {
  mockEndpoint('GET /api/notifications', () => ({
    notifications: [make('Maya'), make('Noor'), make('Sam', { read: true })],
  }))
  await renderPage(<NotificationsBell />, { texts: ['notifications'] })
  expect(await within(bell()).findByText('2')).toBeTruthy()
})

test('The badge is empty when nothing is unread', async () => {
  await open([make('Maya', { read: true })])
  expect(bell().textContent).toBe('')
})

test('The newest notification comes first', async () => {
  await open([
    make('Old', { timestamp: ago(90) }),
    make('New', { timestamp: ago(1) }),
    make('Middle', { timestamp: ago(30) }),
  ])
  const texts = screen.getAllByRole('listitem').map((item) => item.textContent)
  expect(texts[0]).toContain('New messaged you')
  expect(texts[1]).toContain('30 minutes ago')
  expect(texts[2]).toContain('1 hour ago')
})

test('A click marks a notification as read, logs its link and goes nowhere', async () => {
  const info = vi.spyOn(console, 'info').mockImplementation(() => undefined)
  const { user } = await open([make('Maya', { link: '/chat/u_maya' })])
  const calls = mockEndpoint('PATCH /api/notifications/:id', () => make('Maya', { read: true }))
  await user.click(screen.getByRole('button', { name: /Maya messaged you/ }))
  await waitFor(() => expect(bell().textContent).toBe(''))
  expect(calls[0]?.body).toEqual({ read: true })
  expect(info).toHaveBeenCalledWith('/chat/u_maya')
  expect(screen.getByTestId('address').textContent).toBe('/home')
})

test('The small button of a notification follows its link', async () => {
  const { user } = await open([make('Maya', { link: '/chat/u_maya' }), make('Ines', { link: '/profile/u_ines' })])
  expect(screen.getByRole('button', { name: 'View profile' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Open chat' }))
  expect(screen.getByTestId('address').textContent).toBe('/chat/u_maya')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('A like leads to the likes, and a match to the chat', async () => {
  const { user } = await open([
    make('Kai', { kind: 'like', params: { name: 'Kai' }, link: '/likes' }),
    make('Ines', { kind: 'match', params: { name: 'Ines' }, link: '/chat/u_ines' }),
  ])
  expect(screen.getByText('Kai likes you')).toBeTruthy()
  expect(screen.getByText('It’s a match: you and Ines')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Open chat' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'See your likes' }))
  expect(screen.getByTestId('address').textContent).toBe('/likes')
})

test('“Mark all as read” marks every notification and confirms it', async () => {
  const { user } = await open([make('Maya'), make('Noor')])
  mockEndpoint('PATCH /api/notifications', () => {
    // Another notification has arrived since, and the server has marked it as read too.
    const notifications = ['Maya', 'Noor', 'Sam'].map((id) => make(id, { read: true }))
    mockEndpoint('GET /api/notifications', () => ({ notifications }))
    return { notifications: [] }
  })
  await user.click(screen.getByRole('button', { name: 'Mark all as read' }))
  await waitFor(() => expect(bell().textContent).toBe(''))
  const toast = await screen.findByText('All notifications marked as read.')
  expect(toast.closest('[data-sonner-toast]')?.getAttribute('data-type')).toBe('success')
  expect(await screen.findByText(/Sam/)).toBeTruthy()
})

test('“Mark all as read” confirms even after the popover has closed, and a failed “Clear all” shows an error', async () => {
  const { user } = await open([make('Maya')])
  let answer: () => void = () => undefined
  mockEndpoint('PATCH /api/notifications', async () => {
    await new Promise<void>((resolve) => {
      answer = resolve
    })
    return { notifications: [] }
  })
  await user.click(screen.getByRole('button', { name: 'Mark all as read' }))
  await user.keyboard('{Escape}')
  await gone()
  answer()
  await screen.findByText('All notifications marked as read.')
  mockEndpoint('DELETE /api/notifications', () => problem(503, 'unavailable'))
  await user.click(bell())
  await popover()
  await user.click(screen.getByRole('button', { name: 'Clear all' }))
  await screen.findByText('That couldn’t be saved. Please try again.')
  expect(await screen.findByRole('button', { name: /Maya messaged you/ })).toBeTruthy()
})

test('“Clear all” empties the list and confirms it', async () => {
  const { user } = await open([make('Maya')])
  mockEndpoint('DELETE /api/notifications', () => {
    mockEndpoint('GET /api/notifications', () => ({ notifications: [] }))
    return { ok: true }
  })
  await user.click(screen.getByRole('button', { name: 'Clear all' }))
  expect(await screen.findByText('No notifications yet')).toBeTruthy()
  const toast = await screen.findByText('All notifications cleared.')
  expect(toast.closest('[data-sonner-toast]')?.getAttribute('data-type')).toBe('info')
})

test('An empty list says “No notifications yet”', async () => {
  await open([])
  expect(await screen.findByText('No notifications yet')).toBeTruthy()
})

test('A notification of an unknown kind and type shows the server’s words', async () => {
  const strange = { kind: 'eclipse', type: 'cosmic', title: 'The sun is gone' } as unknown as Partial<Notification>
  await open([make('Sky', strange)])
  expect(screen.getByText('The sun is gone')).toBeTruthy()
})

test('Each type has its own icon, and an unknown one the default', async () => {
  const types = ['success', 'warning', 'error', 'message', 'info', 'cosmic'] as Notification['type'][]
  await open(types.map((type, place) => make(type, { type, timestamp: ago(place) })))
  const items = within(await popover()).getAllByRole('listitem')
  const icons = items.map((item) => item.querySelector('svg')?.getAttribute('class'))
  const wanted = ['check', 'triangle-alert', 'circle-alert', 'message-circle', 'info', 'bell']
  for (const [place, name] of wanted.entries()) expect(icons[place]).toContain(`lucide-${name} `)
})

const gone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

test('The popover closes on Escape', async () => {
  const { user } = await open([make('Maya')])
  await user.keyboard('{Escape}')
  await gone()
})

test('The popover closes on an outside click', async () => {
  await open([make('Maya')])
  await act(() => new Promise((resolve) => setTimeout(resolve)))
  fireEvent.pointerDown(document.body)
  fireEvent.click(document.body)
  await gone()
})

test('The popover closes when the page scrolls, but not when its list does', async () => {
  await open([make('Maya')])
  fireEvent.scroll(within(screen.getByRole('dialog')).getByRole('list'))
  expect(screen.getByRole('dialog')).toBeTruthy()
  fireEvent.scroll(window)
  await gone()
})

test('The popover closes when the window is resized', async () => {
  await open([make('Maya')])
  fireEvent(window, new Event('resize'))
  await gone()
})

test('A notification that arrives live raises the count', async () => {
  mockEndpoint('GET /api/notifications', () => ({ notifications: [make('Maya')] }))
  const { queryClient } = await renderPage(<NotificationsBell />, { texts: ['notifications'] })
  await within(bell()).findByText('1')
  const context = { queryClient } as Parameters<typeof notificationHandlers.notification>[0]
  act(() => notificationHandlers.notification(context, make('Noor')))
  expect(await within(bell()).findByText('2')).toBeTruthy()
  act(() => notificationHandlers.notification(context, make('Noor', { read: true })))
  expect(await within(bell()).findByText('1')).toBeTruthy()
})

test('Only the notification that the server refused to mark as read becomes unread again', async () => {
  vi.spyOn(console, 'info').mockImplementation(() => undefined)
  const list = [make('Maya'), make('Noor')]
  const { user } = await open(list)
  const answers: (() => void)[] = []
  mockEndpoint('PATCH /api/notifications/:id', async ({ url }) => {
    await new Promise<void>((done) => answers.push(done))
    if (url.pathname.endsWith('Maya')) return problem(503, 'unavailable')
    list[1] = make('Noor', { read: true })
    return list[1]
  })
  for (const name of ['Maya', 'Noor'])
    await user.click(screen.getByRole('button', { name: new RegExp(`${name} messaged you`) }))
  await waitFor(() => expect(bell().textContent).toBe(''))
  for (const nth of [0, 1]) {
    await waitFor(() => expect(answers).toHaveLength(nth + 1))
    await act(async () => answers[nth]?.())
    await waitFor(() => expect(bell().textContent).toBe('1'))
  }
})
