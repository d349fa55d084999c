import type { ListAck } from '@duet/contract/conversations.ts'
import { ask } from './ask.ts'
import type { ChatContext } from './chat.ts'
import { changeThread } from './conversation-list.ts'
import type { Conversation } from './thread.ts'
import { completeTo, joinPage, lacking, restart } from './thread-joins.ts'

/** What was pushed out of order gets this long to come by itself. */
const grace = 250
const retryAfter = 3_000
const retryAtMost = 10_000
/** Addresses of photos last an hour: by then all rows are asked for again, changed or not. */
const wholeEvery = 45 * 60_000
/** No cursor at all: the server tells everything, and all that is gone. */
const everything = 'everything'
/** Further behind than this, a thread begins anew with its newest page. */
const farBehind = 200

/**
 * Keeps what this device knows equal to what the server has: the list by a cursor that moves only with a full answer,
 * and each thread that was read by what happened since.
 */
export function createSync({ list, socket, call }: Pick<ChatContext, 'list' | 'socket' | 'call'>) {
  let cursor: string | undefined
  let wholeAt = 0
  let asking = false
  let again = false
  let planned: ReturnType<typeof setTimeout> | undefined
  let plannedFor = Number.POSITIVE_INFINITY
  const healing = new Set<string>()
  const checks = new Map<string, ReturnType<typeof setTimeout>>()
  const failures = new Map<string, number>()

  const find = (id: string) => list.read().find((conversation) => conversation.id === id)

  /** Asks for the list, or for what changed in it since the last answer. */
  async function now(): Promise<void> {
    clearTimeout(planned)
    plannedFor = Number.POSITIVE_INFINITY
    const line = socket()
    // The line says so when it comes back.
    if (!line?.connected) return
    again = asking
    if (asking) return
    asking = true
    const at = Date.now()
    const isWhole = cursor === undefined || Math.abs(at - wholeAt) >= wholeEvery
    const since = isWhole ? everything : cursor
    const answer = await ask(line, 'get_conversations', cursor === undefined ? undefined : { since }).catch(
      () => undefined,
    )
    asking = false
    if (isWhole && answer?.ok) wholeAt = at
    merged(answer)
    if (again) await now()
  }

  // The rows came as an event of the same connection before this acknowledgement: they are merged already.
  function merged(answer: ListAck | undefined): void {
    if (answer?.ok && answer.cursor !== undefined) {
      cursor = answer.cursor
      list.remove(answer.gone ?? [])
    } else if (!answer?.ok) soon(answer?.retryAfterMs ?? retryAfter)
    checkAll()
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

  function check(id: string, delay = grace): void {
    const conversation = find(id)
    if (!conversation || !lacking(conversation) || checks.has(id)) return
    const heal = () => {
      checks.delete(id)
      void healOne(id)
    }
    checks.set(id, setTimeout(heal, delay))
  }
  const checkAll = () => {
    for (const { id } of list.read()) check(id, 0)
  }

  async function healOne(id: string): Promise<void> {
    if (healing.has(id)) return
    healing.add(id)
    const healed = await readLacking(find(id)).catch(() => false)
    healing.delete(id)
    const failed = healed ? 0 : (failures.get(id) ?? 0) + 1
    failures.set(id, failed)
    // What came meanwhile may lack something in its turn.
    if (socket()?.connected) check(id, healed ? grace : Math.min(retryAtMost, retryAfter * 2 ** (failed - 1)))
  }

  async function readLacking(conversation: Conversation | undefined): Promise<boolean> {
    const missing = conversation && lacking(conversation)
    if (!missing) return true
    const { id, lastSeq, revision } = conversation
    if (lastSeq - missing.after > farBehind) await readNewest(id, revision)
    else await readChanges(id, missing, revision)
    const left = find(id)
    const still = left && lacking(left)
    return still?.after !== missing.after || still.since !== missing.since
  }

  async function readNewest(id: string, asOf: number): Promise<void> {
    const page = await call('GET /api/conversations/:userId/messages', { params: { userId: id }, query: {} })
    const newest = { messages: page.messages, asOf, isNewest: true }
    list.change((known) => changeThread(known, id, (thread) => restart(thread, newest)))
  }

  async function readChanges(id: string, from: { after: number; since: number }, asOf: number): Promise<void> {
    let { after, since } = from
    let hasMore = true
    while (hasMore) {
      const query = { after, since, limit: farBehind }
      const page = await call('GET /api/conversations/:userId/changes', { params: { userId: id }, query })
      const { messages } = page
      const last = messages.at(-1)?.revision ?? since
      after = messages.reduce((newest, { seq }) => Math.max(newest, seq), after)
      hasMore = page.hasMore && last > since
      since = Math.max(since, last)
      list.change((known) => changeThread(known, id, (thread) => joinPage(thread, { messages, asOf: since })))
    }
    const complete = Math.max(asOf, since)
    list.change((known) => changeThread(known, id, (thread) => completeTo(thread, complete)))
  }

  function stop(): void {
    clearTimeout(planned)
    plannedFor = Number.POSITIVE_INFINITY
    for (const timer of checks.values()) clearTimeout(timer)
    checks.clear()
  }

  return { now, soon, overtake, check, stop }
}
