import type { Conversation, ListAck } from '@duet/contract/conversations.ts'
import { listCursorHeader } from '@duet/contract/limits.ts'
import { ask, liveLine } from '../ask.ts'
import type { ChatContext } from '../context.ts'
import { inServersOrder } from '../conversation-order.ts'

const retryAfter = 3_000
/** Addresses of photos last an hour: by then all rows are asked for again, changed or not. */
const wholeEvery = 45 * 60_000
/** No cursor at all: the server tells everything, and all that is gone. */
const everything = 'everything'

/** A first load over HTTP that takes longer, in ms, is not waited for. */
const loadPatience = 5_000

/** A last message alone doesn't begin a thread: its page is loaded when someone opens it. */
const asRow = (conversation: Conversation): Conversation =>
  conversation.messages?.length === 1 && conversation.lastSeq > 1
    ? { ...conversation, messages: undefined }
    : conversation

/** The newest conversations; `next` is the cursor after them, null where the list is longer. */
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

/** Acts once for several wishes, at the earliest of their times. */
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
  /** There was an answer, or none came. */
  asked(): void
}

/** Keeps the list of conversations equal to the server's, by a cursor that moves only with a full answer. */
export function createListSync({ list, socket, call, asked }: ListSyncParts) {
  let cursor: string | undefined
  let loading: Promise<unknown> = Promise.resolve()
  let wholeAt = 0
  let asking = false
  let again = false
  const { soon, cancel } = createPlan(() => void now())

  /** Loads the newest conversations with their first messages; rejects with ProblemError. */
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
    // A load that no question waited for may be older than what was told meanwhile.
    if (!asking) soon(0)
  }

  /** Asks for the list, or for what changed in it since the last answer. */
  async function now(): Promise<void> {
    cancel()
    // The line says so when it comes back.
    if (!liveLine(socket)) return
    again = asking
    if (asking) return
    asking = true
    // While the page loads the list, all that is left to ask for is what changes meanwhile.
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

  // The rows came as an event of the same connection before this acknowledgement: they are merged already.
  function merged(answer: ListAck | undefined, before: readonly string[]): void {
    if (answer?.ok && answer.cursor !== undefined) moveTo(answer.cursor, before, answer.listed, answer.gone)
    else if (!answer?.ok) soon(answer?.retryAfterMs ?? retryAfter)
  }

  /** `listed` names everyone in a whole list: an erased account is in no row of `gone`. */
  function moveTo(next: string, before: readonly string[], listed?: readonly string[], gone: readonly string[] = []) {
    cursor = next
    list.end(listed ? [...gone, ...before.filter((id) => !listed.includes(id))] : gone)
    list.change(inServersOrder)
  }

  /** Something was told of a conversation that is not here: a list that is on its way was read before, maybe. */
  function overtake(): void {
    if (asking) again = true
  }

  return { load, now, soon, overtake, stop: cancel }
}
