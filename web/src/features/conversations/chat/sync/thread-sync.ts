import { liveLine, within } from '../ask.ts'
import type { ChatContext } from '../context.ts'
import { changeThread } from '../conversation-list.ts'
import type { Conversation } from '../thread.ts'
import { completeTo, joinPage, lacking, restart } from '../thread-joins.ts'

/** How long to wait for pushes that arrive out of order before fetching, in milliseconds. */
const grace = 250
const retryAfter = 3_000
const retryAtMost = 10_000
/** Request timeout in milliseconds. It doubles after each failure, in case the connection is merely slow. */
const patience = 10_000
const patienceAtMost = 160_000
/** A thread that misses more messages than this reloads its newest page instead of fetching them. */
const farBehind = 200

interface Missing {
  after: number
  since: number
  asOf: number
}

function createReader({ list, call }: Pick<ChatContext, 'list' | 'call'>) {
  async function readLacking(conversation: Conversation | undefined, signal: AbortSignal): Promise<boolean> {
    const missing = conversation && lacking(conversation)
    if (!missing) return true
    const { id, lastSeq, revision } = conversation
    if (lastSeq - missing.after > farBehind) await readNewest(id, revision, signal)
    else await readChanges(id, { ...missing, asOf: revision }, signal)
    const left = list.find(id)
    const still = left && lacking(left)
    return still?.after !== missing.after || still.since !== missing.since
  }

  async function readNewest(id: string, asOf: number, signal: AbortSignal): Promise<void> {
    const page = await call('GET /api/conversations/:userId/messages', { params: { userId: id }, query: {}, signal })
    const newest = { messages: page.messages, asOf, isNewest: true }
    list.change((known) => changeThread(known, id, (thread) => restart(thread, newest)))
  }

  async function readChanges(id: string, from: Missing, signal: AbortSignal): Promise<void> {
    let { after, since } = from
    let hasMore = true
    while (hasMore) {
      const query = { after, since, limit: farBehind }
      const page = await call('GET /api/conversations/:userId/changes', { params: { userId: id }, query, signal })
      const { messages } = page
      const last = messages.at(-1)?.revision ?? since
      after = messages.reduce((newest, { seq }) => Math.max(newest, seq), after)
      hasMore = page.hasMore && last > since
      since = Math.max(since, last)
      list.change((known) => changeThread(known, id, (thread) => joinPage(thread, { messages, asOf: since })))
    }
    const complete = Math.max(from.asOf, since)
    list.change((known) => changeThread(known, id, (thread) => completeTo(thread, complete)))
  }

  return readLacking
}

export function createThreadSync({ list, socket, call }: Pick<ChatContext, 'list' | 'socket' | 'call'>) {
  const readLacking = createReader({ list, call })
  const checks = new Map<string, ReturnType<typeof setTimeout>>()
  const healing = new Set<string>()
  const failures = new Map<string, number>()

  /** Fetches a thread's missing messages, unless they arrive within `delay` milliseconds. */
  function check(id: string, delay = grace): void {
    const conversation = list.find(id)
    if (!conversation || !lacking(conversation) || checks.has(id)) return
    const begin = () => {
      checks.delete(id)
      void heal(id)
    }
    checks.set(id, setTimeout(begin, delay))
  }

  function checkAll(): void {
    for (const { id } of list.read()) check(id, 0)
  }

  async function heal(id: string): Promise<void> {
    if (healing.has(id)) return
    healing.add(id)
    const before = failures.get(id) ?? 0
    const limit = Math.min(patienceAtMost, patience * 2 ** before)
    const healed = await within(limit, (signal) => readLacking(list.find(id), signal)).catch(() => false)
    healing.delete(id)
    const failed = healed ? 0 : before + 1
    failures.set(id, failed)
    // Events that arrived during the request may have left new gaps.
    if (liveLine(socket)) check(id, healed ? grace : Math.min(retryAtMost, retryAfter * 2 ** (failed - 1)))
  }

  function stop(): void {
    for (const timer of checks.values()) clearTimeout(timer)
    checks.clear()
  }

  return { check, checkAll, stop }
}
