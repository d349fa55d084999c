import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import { createElement, type ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../platform/query/query-client.ts'
import { useSession } from '../../platform/session.ts'
import { anAnswer } from '../../test/deck.ts'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, signInAs } from '../../test/render.tsx'
import { keepDecision, sendKeptDecisions } from './keep-decision.ts'
import { decidedHere } from './kept-decisions.ts'
import { useDecide, useTakeBack } from './likes.api.ts'

// A refusal shows a toast, which isn't available here.
vi.mock('./refusals.ts', () => ({ tellRefusal: () => Promise.resolve() }))

beforeEach(() => {
  localStorage.clear()
  signInAs(jun)
})
afterEach(() => {
  vi.useRealTimers()
  resetEndpoints()
})

const sent: string[] = []
const note = (what: string, id: string) => sent.push(`${what} ${id}`)
const kept = () => Object.keys(localStorage).filter((key) => key.startsWith('decision:'))

function leave(...acts: [string, 'like' | 'pass' | 'undo'][]): void {
  for (const [index, [userId, act]] of acts.entries()) {
    const entry = { userId, act: act === 'undo' ? act : { decision: act }, page: 'gone' }
    localStorage.setItem(`decision:${jun.id}:${Date.now()}-00000${index}-gone`, JSON.stringify(entry))
  }
}

function serve(fail?: (id: string) => Response | undefined) {
  sent.length = 0
  mockEndpoint('PUT /api/decisions/:userId', ({ url }) => {
    const id = url.pathname.split('/').at(-1) as string
    note('decide', id)
    return fail?.(id) ?? anAnswer('like')
  })
  // Undoing the latest decision is wrong here, because a different decision may be the latest.
  mockEndpoint('POST /api/decisions/undo', () => problem(409, 'conflict'))
  mockEndpoint('DELETE /api/decisions/:userId', ({ url }) => {
    note('retract', url.pathname.split('/').at(-1) as string)
    return { ok: true }
  })
}

test('Decisions that an earlier page left are sent in order, and refused ones are dropped', async () => {
  serve((id) => (id === 'noor' ? problem(404, 'not_found') : undefined))
  leave(['maya', 'like'], ['noor', 'pass'], ['maya', 'undo'], ['ines', 'pass'])
  expect([...decidedHere()]).toEqual(['noor', 'ines'])
  await sendKeptDecisions(new QueryClient())
  expect(sent).toEqual(['decide maya', 'decide noor', 'retract maya', 'decide ines'])
  expect(kept()).toEqual([])
})

test('A decision without an answer stays stored, and so do later ones', async () => {
  serve(() => {
    throw new TypeError('network failure')
  })
  leave(['maya', 'like'], ['noor', 'pass'])
  await sendKeptDecisions(new QueryClient())
  expect(sent).toEqual(['decide maya'])
  expect(kept()).toHaveLength(2)
})

test('A decision that this page is already sending isn’t sent again', async () => {
  serve()
  const forget = keepDecision('maya', { decision: 'like' })
  await sendKeptDecisions(new QueryClient())
  expect(sent).toEqual([])
  forget()
  expect(kept()).toEqual([])
})

test('An undone decision is retracted even if a later one reached the server first', async () => {
  // The closing page has already sent a pass on Ines. Undoing the latest decision would undo that pass.
  const stands = new Set(['maya', 'ines'])
  serve()
  mockEndpoint('DELETE /api/decisions/:userId', ({ url }) => {
    stands.delete(url.pathname.split('/').at(-1) as string)
    return { ok: true }
  })
  leave(['maya', 'like'], ['maya', 'undo'], ['ines', 'pass'])
  await sendKeptDecisions(new QueryClient())
  expect([...stands]).toEqual(['ines'])
  expect(kept()).toEqual([])
})

test('A new decision replaces one about the same person from an earlier page, even during sending', async () => {
  leave(['maya', 'like'], ['noor', 'like'], ['ines', 'like'])
  keepDecision('maya', { decision: 'pass' })
  serve((id) => {
    if (id === 'noor') keepDecision('ines', { decision: 'pass' })
    return undefined
  })
  await sendKeptDecisions(new QueryClient())
  expect(sent).toEqual(['decide noor'])
  expect([...decidedHere()]).toEqual(['maya', 'ines'])
})

test('Each stored decision is sent once, however often sending is requested', async () => {
  serve()
  leave(['maya', 'like'], ['noor', 'pass'])
  await Promise.all([sendKeptDecisions(new QueryClient()), sendKeptDecisions(new QueryClient())])
  expect(sent).toEqual(['decide maya', 'decide noor'])
})

test('A stored decision that can’t be parsed is dropped', () => {
  localStorage.setItem(`decision:${jun.id}:${Date.now()}-000001-gone`, '{"userId":')
  expect(decidedHere().size).toBe(0)
  expect(kept()).toEqual([])
})

test('Signing out deletes stored decisions', async () => {
  leave(['maya', 'like'])
  mockEndpoint('POST /api/user/signOut', () => ({ ok: true as const }))
  await useSession.getState().signOut()
  expect(kept()).toEqual([])
})

test('A page that closes sends its own decisions, except those that were undone', async () => {
  serve()
  keepDecision('maya', { decision: 'like' })
  keepDecision('noor', { decision: 'pass' })
  keepDecision('noor', 'undo')
  leave(['ines', 'like'])
  const hide = (persisted: boolean) => window.dispatchEvent(Object.assign(new Event('pagehide'), { persisted }))
  // The `pagehide` listener is in a module that loads after the first decision.
  await waitFor(() => {
    hide(false)
    expect(sent).toEqual(['decide maya'])
  })
  expect(fetch).toHaveBeenLastCalledWith('/api/decisions/maya', expect.objectContaining({ keepalive: true }))
  // With `persisted`, the browser may still restore this page.
  hide(true)
  expect(sent).toEqual(['decide maya'])
})

const maya = { id: 'maya', name: 'Maya' }
function useLike(): () => void {
  const { mutate } = useDecide()
  return () => mutate({ user: maya, body: { decision: 'like' } })
}
function render<Result>(useResult: () => Result) {
  const client = createQueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => createElement(QueryClientProvider, { client }, children)
  return renderHook(useResult, { wrapper })
}
function useRetract(): () => void {
  const { takeBack } = useTakeBack()
  return () => void takeBack(maya).catch(() => undefined)
}

test.each([
  ['a like', 'PUT', useLike],
  ['a decision taken back', 'DELETE', useRetract],
] as const)('%s stays on the device until the server has answered', async (_, method, useAct) => {
  let answer: () => void = () => undefined
  mockEndpoint(`${method} /api/decisions/:userId`, async () => {
    await new Promise<void>((resolve) => {
      answer = resolve
    })
    return method === 'PUT' ? anAnswer('like') : { ok: true }
  })
  const { result } = render(useAct)
  act(() => result.current())
  await waitFor(() => expect(kept()).toHaveLength(1))
  expect(JSON.parse(localStorage.getItem(kept()[0] as string) as string)).toMatchObject({ userId: 'maya' })
  answer()
  await waitFor(() => expect(kept()).toEqual([]))
})

test('A decision whose request hangs delays the next one by at most 15 seconds', async () => {
  vi.useFakeTimers()
  const begun: string[] = []
  vi.stubGlobal('fetch', (url: string, { signal }: { signal: AbortSignal }) => {
    begun.push(url)
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  const { result } = render(useDecide)
  act(() => {
    for (const id of ['maya', 'noor']) result.current.mutate({ user: { id, name: id }, body: { decision: 'pass' } })
  })
  await act(() => vi.advanceTimersByTimeAsync(14_999))
  expect(begun).toEqual(['/api/decisions/maya'])
  await act(() => vi.advanceTimersByTimeAsync(1))
  expect(begun).toEqual(['/api/decisions/maya', '/api/decisions/noor'])
})
