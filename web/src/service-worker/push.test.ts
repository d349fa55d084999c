import { beforeAll, beforeEach, expect, test, vi } from 'vitest'

interface Shown {
  tag: string
  close(): void
}

let shown: Shown[]
const showNotification = vi.fn((_title: string, { tag }: { tag: string }) => {
  shown = [...shown.filter((one) => one.tag !== tag), notification(tag)]
})
const page = { focused: true, focus: vi.fn(async () => undefined), postMessage: vi.fn() }
const clients = { pages: [page], matchAll: async () => clients.pages, openWindow: vi.fn() }

const notification = (tag: string): Shown => ({
  tag,
  close: () => {
    shown = shown.filter((one) => one.tag !== tag)
  },
})

beforeAll(async () => {
  vi.stubGlobal('registration', { showNotification, getNotifications: async () => shown })
  vi.stubGlobal('clients', clients)
  await import('./push.ts')
})
beforeEach(() => {
  shown = []
  vi.clearAllMocks()
})

async function dispatch(name: string, fields: object): Promise<void> {
  const work: Promise<unknown>[] = []
  self.dispatchEvent(
    Object.assign(new Event(name), { ...fields, waitUntil: (one: Promise<unknown>) => work.push(one) }),
  )
  await Promise.all(work)
}

const message = {
  id: 'm1',
  kind: 'message',
  params: { name: 'Maya' },
  link: '/chat/u_maya',
  language: 'en',
  unread: [],
}
const push = (changes: object = {}) => dispatch('push', { data: { json: () => ({ ...message, ...changes }) } })
const press = () => dispatch('notificationclick', { notification: { close: vi.fn(), data: { link: message.link } } })

test('a push notification is shown in the recipient’s language', async () => {
  await push()
  await push({ language: 'ar' })
  expect(showNotification.mock.calls).toMatchObject([
    ['Maya messaged you', { body: '', lang: 'en', dir: 'ltr', data: { link: '/chat/u_maya' } }],
    [expect.stringContaining('Maya'), { lang: 'ar', dir: 'rtl' }],
  ])
})

test('a push without details or of an unknown kind only says that there’s something new', async () => {
  await push({ kind: 'news', params: {} })
  await push({ kind: 'eclipse' })
  const words = ['Duet', expect.objectContaining({ body: 'There’s something new for you.' })]
  expect(showNotification.mock.calls).toEqual([words, words])
})

test('a push closes notifications that were read on another device', async () => {
  shown = [notification('read'), notification('unread')]
  await push({ unread: ['unread'] })
  expect(shown.map(({ tag }) => tag)).toEqual(['unread', 'm1'])
})

test('clicking a notification shows the chat in the open page, or in a new page if none is open', async () => {
  await press()
  expect(page.postMessage).toHaveBeenCalledWith({ type: 'open', link: '/chat/u_maya' })
  // Otherwise the page would mark the chat that is open now as read.
  expect(page.postMessage.mock.invocationCallOrder[0]).toBeLessThan(page.focus.mock.invocationCallOrder[0] ?? 0)
  expect(clients.openWindow).not.toHaveBeenCalled()
  clients.pages = []
  await press()
  expect(clients.openWindow).toHaveBeenCalledWith('/chat/u_maya')
})
