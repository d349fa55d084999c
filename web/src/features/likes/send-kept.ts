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
  // Not `POST /api/decisions/undo`, which undoes the latest decision: a later one may have reached the server since.
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
    // A newer decision about the same person has replaced it.
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
 * Sends the decisions that earlier pages left, in order. Sending one twice changes nothing. Where the browser supports
 * locks, only one page sends at a time.
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

/** Stops other pages from sending the decisions of this page, and sends those that are left when the page closes. */
export function holdOwn(): void {
  // Held until the page unloads, so other tabs can tell that it is still open.
  void permitted(() => navigator.locks?.request(lockOf(thisPage), () => new Promise(() => undefined)))?.catch(
    () => undefined,
  )
  window.addEventListener('pagehide', ({ persisted }) => {
    if (persisted) return
    const own = keptHere().filter(({ page }) => page === thisPage)
    // Requests sent while closing may arrive in any order, so a decision with an undo is left to the next page.
    const isTakenBack = (id: string) => own.some(({ userId, act }) => userId === id && typeof act === 'string')
    for (const one of own) if (!isTakenBack(one.userId)) void send(one).catch(() => undefined)
  })
}
