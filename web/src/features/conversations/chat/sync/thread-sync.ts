import { liveLine, within } from '../ask.ts'
import type { ChatContext } from '../context.ts'
import { changeThread } from '../conversation-list.ts'
import type { Conversation } from '../thread.ts'
import { completeTo, joinPage, lacking, restart } from '../thread-joins.ts'

/** What was pushed out of order gets this long to come by itself. */
const grace = 250
const retryAfter = 3_000
const retryAtMost = 10_000
/** How long a read may take: twice as long after each that failed, for a line that is slow rather than dead. */
const patience = 10_000
const patienceAtMost = 160_000
/** Further behind than this, a thread begins anew with its newest page. */
const farBehind = 200

interface Missing {
  after: number
  since: number
  asOf: number
}

/** Reads what a thread lacks, and joins it. */
function createReader({ list, call }: Pick<ChatContext, 'list' | 'call'>) {
  /** Returns whether less is lacking than before. */
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

/** Keeps each thread that was read equal to what the server has: it reads what happened since. */
export function createThreadSync({ list, socket, call }: Pick<ChatContext, 'list' | 'socket' | 'call'>) {
  const readLacking = createReader({ list, call })
  const checks = new Map<string, ReturnType<typeof setTimeout>>()
  const healing = new Set<string>()
  const failures = new Map<string, number>()

  /** Looks whether a thread lacks something, and reads it when it did not come by itself meanwhile. */
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
    // What came meanwhile may lack something in its turn.
    if (liveLine(socket)) check(id, healed ? grace : Math.min(retryAtMost, retryAfter * 2 ** (failed - 1)))
  }

  function stop(): void {
    for (const timer of checks.values()) clearTimeout(timer)
    checks.clear()
  }

  return { check, checkAll, stop }
}
