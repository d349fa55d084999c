import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import { createElement, type ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { aDeck, anAnswer, aProfile, myDetails } from '../test/deck.ts'
import { mockEndpoint, resetEndpoints } from '../test/mock-endpoint.ts'
import { jun, signInAs } from '../test/render.tsx'

const line = vi.hoisted(() => {
  const whenConnected: (() => void)[] = []
  const on = (event: string, handler: () => void) => event === 'connect' && whenConnected.push(handler)
  const emitWithAck = () => new Promise<never>(() => undefined)
  const io = { on, engine: { close: () => undefined } }
  const socket = { connected: true, active: true, on, io, emit: () => undefined, timeout: () => ({ emitWithAck }) }
  return { socket, whenConnected }
})
vi.mock('../platform/socket/socket.ts', () => ({
  connect: () => {
    line.whenConnected.length = 0
    return line.socket
  },
  disconnect: () => undefined,
  getSocket: () => line.socket,
}))

afterEach(resetEndpoints)

async function openPage() {
  vi.resetModules()
  const [{ useDeck }, { useDecide, useUndo }, { createQueryClient }, { useRealtime }] = await Promise.all([
    import('../features/discovery/discovery.api.ts'),
    import('../features/likes/likes.ts'),
    import('../platform/query/query-client.ts'),
    import('./realtime.tsx'),
  ])
  const client = createQueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => createElement(QueryClientProvider, { client }, children)
  const { result, unmount } = renderHook(
    () => {
      useRealtime()
      const { latest, undo } = useUndo()
      return { cards: useDeck().data?.cards.map(({ id }) => id), decide: useDecide().mutate, latest, undo }
    },
    { wrapper },
  )
  return { page: result, unmount }
}

function serve() {
  const stands: Record<string, unknown> = {}
  const server = { stands, answers: false }
  const idOf = (url: URL) => url.pathname.split('/').at(-1) as string
  const answered = () => (server.answers ? undefined : new Promise<never>(() => undefined))
  mockEndpoint('GET /api/user/myDetails', () => myDetails())
  mockEndpoint('GET /api/deck', () =>
    aDeck(['Maya', 'Noor', 'Ines', 'Lena'].map((name) => aProfile(name)).filter(({ id }) => !(id in stands))),
  )
  mockEndpoint('PUT /api/decisions/:userId', async ({ url, body }) => {
    await answered()
    stands[idOf(url)] = (body as { decision: string }).decision
    return anAnswer('like')
  })
  mockEndpoint('DELETE /api/decisions/:userId', async ({ url }) => {
    await answered()
    delete stands[idOf(url)]
    return { ok: true }
  })
  return server
}

test('people with an unconfirmed decision stay out of the deck after a reload, and the decisions are sent on connecting', async () => {
  const server = serve()
  signInAs(jun)
  const { page, unmount } = await openPage()
  await waitFor(() => expect(page.current.cards).toHaveLength(4))
  act(() => {
    page.current.decide({ user: { id: 'maya', name: 'Maya' }, body: { decision: 'like' } })
    for (const id of ['noor', 'ines']) page.current.decide({ user: { id, name: id }, body: { decision: 'pass' } })
  })
  act(() => page.current.undo(page.current.latest()!))
  unmount()

  const { page: next } = await openPage()
  await waitFor(() => expect(next.current.cards).toEqual(['ines', 'lena']))
  server.answers = true
  await waitFor(() => expect(line.whenConnected).not.toEqual([]))
  act(() => {
    for (const handle of line.whenConnected) handle()
  })
  await waitFor(() => expect(Object.keys(localStorage).filter((key) => key.startsWith('decision:'))).toEqual([]))
  expect(server.stands).toEqual({ maya: 'like', noor: 'pass' })
})
