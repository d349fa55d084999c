import type { ListAck } from '@duet/contract/conversations.ts'
import { ask, liveLine } from '../ask.ts'
import type { ChatContext } from '../context.ts'
import { inServersOrder } from '../conversation-order.ts'

const retryAfter = 3_000
/** Addresses of photos last an hour: by then all rows are asked for again, changed or not. */
const wholeEvery = 45 * 60_000
/** No cursor at all: the server tells everything, and all that is gone. */
const everything = 'everything'

interface ListSyncParts extends Pick<ChatContext, 'list' | 'socket'> {
  /** There was an answer, or none came. */
  asked(): void
}

/** Keeps the list of conversations equal to the server's, by a cursor that moves only with a full answer. */
export function createListSync({ list, socket, asked }: ListSyncParts) {
  let cursor: string | undefined
  let wholeAt = 0
  let asking = false
  let again = false
  let planned: ReturnType<typeof setTimeout> | undefined
  let plannedFor = Number.POSITIVE_INFINITY

  /** Asks for the list, or for what changed in it since the last answer. */
  async function now(): Promise<void> {
    cancel()
    const line = liveLine(socket)
    // The line says so when it comes back.
    if (!line) return
    again = asking
    if (asking) return
    asking = true
    const at = Date.now()
    const isWhole = cursor === undefined || Math.abs(at - wholeAt) >= wholeEvery
    const since = isWhole ? everything : cursor
    const before = list.read().map(({ id }) => id)
    const answer = await ask(line, 'get_conversations', cursor === undefined ? undefined : { since }).catch(
      () => undefined,
    )
    asking = false
    if (isWhole && answer?.ok) wholeAt = at
    merged(answer, before)
    asked()
    if (again) await now()
  }

  // The rows came as an event of the same connection before this acknowledgement: they are merged already.
  function merged(answer: ListAck | undefined, before: readonly string[]): void {
    if (answer?.ok && answer.cursor !== undefined) {
      cursor = answer.cursor
      const { gone = [], listed } = answer
      // Of an account that was erased there is no row any more.
      list.end(listed ? [...gone, ...before.filter((id) => !listed.includes(id))] : gone)
      list.change(inServersOrder)
    } else if (!answer?.ok) soon(answer?.retryAfterMs ?? retryAfter)
  }

  /** Asks within so many milliseconds; several wishes become one question. */
  function soon(delay: number): void {
    const at = Date.now() + delay
    if (at >= plannedFor) return
    clearTimeout(planned)
    plannedFor = at
    planned = setTimeout(() => void now(), delay)
  }

  /** Something was told of a conversation that is not here: a list that is on its way was read before, maybe. */
  function overtake(): void {
    if (asking) again = true
  }

  function cancel(): void {
    clearTimeout(planned)
    plannedFor = Number.POSITIVE_INFINITY
  }

  return { now, soon, overtake, stop: cancel }
}
