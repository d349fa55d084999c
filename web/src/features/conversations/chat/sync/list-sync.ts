import type { Conversation, ListAck } from '@duet/contract/conversations.ts'
import { listCursorHeader } from '@duet/contract/limits.ts'
import { ask, liveLine } from '../ask.ts'
import type { ChatContext } from '../context.ts'
import { inServersOrder } from '../conversation-order.ts'

const retryAfter = 3_000
/** How often to fetch the full list, in milliseconds. Photo URLs expire after an hour. */
const wholeEvery = 45 * 60_000
/** Not a valid cursor, so the server responds with the full list. */
const everything = 'everything'

/** How long to wait for the first load over HTTP, in milliseconds. */
const loadPatience = 5_000

/**
 * Drops the single message of a row, because a thread starts with its first page, which loads when someone opens the
 * thread.
 */
const asRow = (conversation: Conversation): Conversation =>
  conversation.messages?.length === 1 && conversation.lastSeq > 1
    ? { ...conversation, messages: undefined }
    : conversation

async function readHistory(call: ChatContext['call'], signal?: AbortSignal) {
  let next: string | null = null
  const rows = await call('GET /api/messages/history', {
    ...(signal && { signal }),
    onHeaders: (headers) => {
      next = headers.get(listCursorHeader)
    },
  })
  return { rows: rows.map(asRow), next: next as string | null }
}

/** Merges several scheduled calls of `act` into one, at the earliest of their times. */
function createPlan(act: () => void) {
  let planned: ReturnType<typeof setTimeout> | undefined
  let plannedFor = Number.POSITIVE_INFINITY
  function soon(delay: number): void {
    const at = Date.now() + delay
    if (at >= plannedFor) return
    clearTimeout(planned)
    plannedFor = at
    planned = setTimeout(act, delay)
  }
  function cancel(): void {
    clearTimeout(planned)
    plannedFor = Number.POSITIVE_INFINITY
  }
  return { soon, cancel }
}

interface ListSyncParts extends Pick<ChatContext, 'list' | 'socket' | 'call'> {
  asked(): void
}

/** The cursor advances only after a complete response. */
export function createListSync({ list, socket, call, asked }: ListSyncParts) {
  let cursor: string | undefined
  let loading: Promise<unknown> = Promise.resolve()
  let wholeAt = 0
  let asking = false
  let again = false
  const { soon, cancel } = createPlan(() => void now())

  function load(signal?: AbortSignal): Promise<void> {
    const loaded = loadRows(signal)
    loading = loaded.catch(() => undefined)
    return loaded
  }

  async function loadRows(signal?: AbortSignal): Promise<void> {
    const at = Date.now()
    const before = list.read().map(({ id }) => id)
    const { rows, next } = await readHistory(call, signal)
    list.merge(rows)
    if (next === null) wholeAt = 0
    else {
      wholeAt = at
      moveTo(
        next,
        before,
        rows.map(({ id }) => id),
      )
    }
    // If no request was waiting for this load, events may have arrived since the server read the list, so fetch the
    // changes.
    if (!asking) soon(0)
  }

  async function now(): Promise<void> {
    cancel()
    // Reconnecting calls this function again.
    if (!liveLine(socket)) return
    again = asking
    if (asking) return
    asking = true
    // If the list was loaded over HTTP, only the changes since then are needed.
    if (cursor === undefined) await Promise.race([loading, new Promise((resolve) => setTimeout(resolve, loadPatience))])
    await askForChanges()
    asking = false
    asked()
    if (again) await now()
  }

  async function askForChanges(): Promise<void> {
    const line = liveLine(socket)
    if (!line) return
    const at = Date.now()
    const isWhole = cursor === undefined || Math.abs(at - wholeAt) >= wholeEvery
    const since = isWhole ? everything : cursor
    const before = list.read().map(({ id }) => id)
    const answer = await ask(line, 'get_conversations', cursor === undefined ? undefined : { since }).catch(
      () => undefined,
    )
    if (isWhole && answer?.ok) wholeAt = at
    merged(answer, before)
  }

  // The rows were sent as an event before this acknowledgement, so they have been merged already.
  function merged(answer: ListAck | undefined, before: readonly string[]): void {
    if (answer?.ok && answer.cursor !== undefined) moveTo(answer.cursor, before, answer.listed, answer.gone)
    else if (!answer?.ok) soon(answer?.retryAfterMs ?? retryAfter)
  }

  /** `listed` contains every id of a full list. `gone` alone isn't enough, because it omits erased accounts. */
  function moveTo(next: string, before: readonly string[], listed?: readonly string[], gone: readonly string[] = []) {
    cursor = next
    list.end(listed ? [...gone, ...before.filter((id) => !listed.includes(id))] : gone)
    list.change(inServersOrder)
  }

  /** Handles an event for an unlisted conversation. A list already requested may not include it, so request another. */
  function overtake(): void {
    if (asking) again = true
  }

  return { load, now, soon, overtake, stop: cancel }
}
