import type { QueryClient } from '@tanstack/react-query'
import { decisionsKey, deckKey } from '../../cache/keys.ts'
import { call } from '../../platform/call.ts'
import { permitted } from '../../platform/permitted.ts'
import { textsOf } from '../../platform/personal/personal.ts'
import { isUnsure, problemCode } from '../../platform/problem.ts'
import { decisionRequest, type Kept, keptHere, thisPage, viewerId } from './kept-decisions.ts'

const lockOf = (page: string) => `duet-decisions ${page}`

function send({ userId, act }: Kept): Promise<unknown> {
  const params = { userId }
  // Not `POST /api/decisions/undo`, which undoes the latest decision; that may be a different one by now.
  if (typeof act === 'string') return call('DELETE /api/decisions/:userId', { params, ...decisionRequest })
  return call('PUT /api/decisions/:userId', { params, body: act, ...decisionRequest })
}

async function sendEach(queryClient: QueryClient): Promise<void> {
  const viewer = viewerId()
  const texts = textsOf(viewer)
  const { held = [] } = (await permitted(() => navigator.locks?.query())?.catch(() => undefined)) ?? {}
  const isOpen = ({ page }: Kept) => page === thisPage || held.some(({ name }) => name === lockOf(page))
  const left = keptHere(viewer).filter((kept) => !isOpen(kept))
  if (left.length === 0) return
  for (const kept of left) {
    // A newer decision about the same person has replaced this one.
    if (texts.read('decision', kept.key) === null) continue
    const isOver = await send(kept).then(
      () => true,
      (error: unknown) => !isUnsure(error) && problemCode(error) !== 'rate_limited',
    )
    if (!isOver || viewerId() !== viewer) break
    texts.remove('decision', kept.key)
  }
  for (const queryKey of [deckKey, decisionsKey]) void queryClient.invalidateQueries({ queryKey })
}

let isSending = false

/**
 * Sends the decisions that earlier pages couldn't send, in order. Sending one twice is harmless. If the browser
 * supports locks, only one page sends at a time.
 */
export async function sendKept(queryClient: QueryClient): Promise<void> {
  if (isSending) return
  isSending = true
  const work = () => sendEach(queryClient)
  const locked = permitted(() =>
    navigator.locks?.request('duet-send-decisions', { ifAvailable: true }, (lock) => lock && work()),
  )
  await (locked ?? Promise.reject()).catch(work).finally(() => {
    isSending = false
  })
}

/** Stops other pages from sending this page's decisions, and sends those that remain when the page closes. */
export function holdOwn(): void {
  // The lock is held until the page unloads, which shows other tabs that the page is still open.
  void permitted(() => navigator.locks?.request(lockOf(thisPage), () => new Promise(() => undefined)))?.catch(
    () => undefined,
  )
  window.addEventListener('pagehide', ({ persisted }) => {
    if (persisted) return
    const own = keptHere().filter(({ page }) => page === thisPage)
    // Requests sent on closing may arrive in any order, so a decision that was then undone is left for the next page.
    const isTakenBack = (id: string) => own.some(({ userId, act }) => userId === id && typeof act === 'string')
    for (const one of own) if (!isTakenBack(one.userId)) void send(one).catch(() => undefined)
  })
}
