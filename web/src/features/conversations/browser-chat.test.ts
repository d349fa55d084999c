import { conversationsKey } from '../../cache/keys.ts'
import { eventually } from '../../test/eventually.ts'
import 'fake-indexeddb/auto'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import { createElement, type ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { personalStore } from '../../platform/personal/stores.ts'
import { useSession } from '../../platform/session.ts'
import { mockEndpoint, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun } from '../../test/render.tsx'
import { fakeLine } from './chat/line.test-fake.ts'

const wire = fakeLine()
vi.mock('../../platform/socket/socket.ts', () => ({ getSocket: () => wire.line }))
const { chatOf, startChat } = await import('./browser-chat.ts')
const { useSelection } = await import('./conversation-cache.ts')
const { useWaitingTotal } = await import('./conversations.ts')
const { followDraft, keepDraft, readDraft } = await import('./composer/drafts.ts')
const { indexedDbStorage } = await import('./chat/outbox/outbox-storage.ts')
const { conversation, message, waiting } = await import('./talk.test-people.ts')

let queryClient: QueryClient
let stop: () => void
const kept = () => indexedDbStorage(personalStore('outbox')).list('me')
const maya = () => queryClient.getQueryData<{ unreadCount: number; messages?: object[] }[]>(conversationsKey)?.[0]

function begin() {
  queryClient = new QueryClient()
  queryClient.setQueryData(conversationsKey, [conversation('maya', { messages: [], unreadCount: 0 })])
  stop = startChat(queryClient)
}

beforeEach(() => {
  wire.line.connected = true
  wire.asked.length = 0
  wire.told.length = 0
  localStorage.clear()
  useSession.getState().signIn({ ...jun, id: 'me' })
  useSelection.setState({ selectedId: 'maya', newFromSeq: undefined, announced: null })
})
afterEach(async () => {
  stop()
  await chatOf(queryClient).outbox.clear()
  resetEndpoints()
})

it('Signing out deletes unsent messages and drafts', async () => {
  mockEndpoint('POST /api/user/signOut', () => ({ ok: true }))
  begin()
  expect(chatOf(queryClient).send('Hello')).toBe(true)
  keepDraft('maya', 'And then')
  await eventually(async () => expect(await kept()).toHaveLength(1))
  await useSession.getState().signOut()
  await eventually(async () => expect(await kept()).toEqual([]))
  expect(localStorage.getItem('draft:me:maya')).toBeNull()
})

it('Unsent messages are deleted when the session ends elsewhere, and aren’t stored again', async () => {
  begin()
  chatOf(queryClient).send('Hello')
  await eventually(async () => expect(await kept()).toHaveLength(1))
  useSession.getState().forget()
  stop()
  await eventually(async () => expect(await kept()).toEqual([]))
  await chatOf(queryClient).outbox.clear()
  expect(await kept()).toEqual([])
})

it('Returning to the page fetches missed changes, once for several events', async () => {
  begin()
  for (const sign of ['focus', 'online', 'focus']) window.dispatchEvent(new Event(sign))
  document.dispatchEvent(new Event('visibilitychange'))
  await eventually(() => expect(wire.by('get_conversations')).toHaveLength(1))
})

it('An unread message counts again as soon as another conversation is selected', () => {
  begin()
  chatOf(queryClient).handlers['private message'](message(1))
  expect(maya()?.unreadCount).toBe(0)
  useSelection.setState({ selectedId: 'kofi' })
  expect(maya()?.unreadCount).toBe(1)
})

it('Messages that didn’t change keep their identity when older ones are inserted above', () => {
  begin()
  const { handlers } = chatOf(queryClient)
  handlers['private message'](message(2))
  const [before] = maya()?.messages ?? []
  handlers['private message'](message(1))
  expect(maya()?.messages?.[1]).toBe(before)
})

it('A draft written in another tab shows up here, and only for its own conversation', () => {
  begin()
  const heard: string[] = []
  const leave = followDraft('maya', (text) => heard.push(text))
  window.dispatchEvent(new StorageEvent('storage', { key: 'draft:me:maya', newValue: 'Hi' }))
  window.dispatchEvent(new StorageEvent('storage', { key: 'draft:me:kofi', newValue: 'No' }))
  leave()
  window.dispatchEvent(new StorageEvent('storage', { key: 'draft:me:maya', newValue: 'Late' }))
  expect(heard).toEqual(['Hi'])
  keepDraft('maya', 'Hello')
  expect(readDraft('maya')).toBe('Hello')
})

it('Opening a conversation selects it immediately, and leaving before it loads keeps it closed', async () => {
  useSelection.setState({ selectedId: null })
  begin()
  const opening = chatOf(queryClient).pages.open('maya')
  expect(useSelection.getState().selectedId).toBe('maya')
  useSelection.setState({ selectedId: null })
  await Promise.race([opening, new Promise((resolve) => setTimeout(resolve, 300))])
  expect(useSelection.getState().selectedId).toBeNull()
})

it('The next person to sign in finds no open conversation and no unsent messages', async () => {
  begin()
  const muted: string[] = []
  mockEndpoint('PATCH /api/conversations/:userId', ({ url }) => {
    muted.push(url.pathname)
    return new Promise<never>(() => undefined)
  })
  const chat = chatOf(queryClient)
  chat.send('Hello')
  const sent = () => wire.by('send_message').map(({ payload }) => payload.message)
  await eventually(() => expect(sent()).toEqual(['Hello']))
  useSession.getState().signIn({ ...jun, id: 'kim' })
  expect(useSelection.getState()).toEqual({ selectedId: null, newFromSeq: undefined, announced: null })
  await expect(chat.changeConversation('maya', { muted: true })).rejects.toMatchObject({ code: 'offline' })
  expect(muted).toEqual([])
  chat.retry(waiting('mine', { receiverId: 'kofi' }))
  expect(sent()).toEqual(['Hello'])
})

const hide = (hidden: boolean) => {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden)
  document.dispatchEvent(new Event('visibilitychange'))
}
const blur = (isBlurred: boolean) => {
  vi.spyOn(document, 'hasFocus').mockReturnValue(!isBlurred)
  window.dispatchEvent(new Event(isBlurred ? 'blur' : 'focus'))
}

describe.each([
  ['a hidden tab', hide],
  ['a visible window without focus', blur],
])('in %s', (_, leave) => {
  afterEach(() => void vi.restoreAllMocks())

  it('The badge also counts the open chat while nobody can see it', async () => {
    begin()
    const wrapper = ({ children }: { children: ReactNode }) =>
      createElement(QueryClientProvider, { client: queryClient }, children)
    const { result } = renderHook(() => useWaitingTotal(), { wrapper })
    act(() => leave(true))
    act(() => chatOf(queryClient).handlers['private message'](message(1)))
    await eventually(() => expect(result.current).toBe(1))
    act(() => leave(false))
    await eventually(() => expect(result.current).toBe(0))
  })

  it('A chat opened while nobody can see it is marked as read once someone looks', async () => {
    begin()
    queryClient.setQueryData(conversationsKey, [conversation('maya', { unreadCount: 1, lastMessage: message(1) })])
    leave(true)
    const opened = chatOf(queryClient).pages.open('maya')
    await eventually(() => expect(wire.by('get_or_create_conversation')).toHaveLength(1))
    void wire.by('get_or_create_conversation')[0]?.answer({ id: 'maya', messages: [message(1)], hasMore: false })
    await opened
    const marks = () => wire.told.filter(([name]) => name === 'mark_as_read')
    expect(marks()).toEqual([])
    leave(false)
    await eventually(() => expect(marks()).toHaveLength(1))
  })
})
