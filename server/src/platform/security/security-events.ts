import { LRUCache } from 'lru-cache'
import { hours, seconds } from '../clock.ts'
import type { Logger } from '../logger.ts'
import { upTo } from '../up-to.ts'
import { networkOf } from './rate-limit.ts'
import type { Secrets } from './secrets.ts'

/** Who or what an event is about. Addresses and ids are made unreadable before they are written. */
export interface Happening {
  userId?: string | undefined
  address?: string | undefined
  /** The pattern of the route, or the name of the socket request. */
  route?: string | undefined
  code?: string | undefined
  requestId?: string | undefined
}

export interface SecurityEvents {
  /** Counts an event that matters to operators, and writes one line of it. */
  note(event: string, happening: Happening): void
  /** Counts an answer that was a problem; many things that are not there are an event of their own. */
  noteProblem(code: string, happening: Happening): void
  /** How often each event and each problem was, since the start. */
  counts(): { events: ReadonlyMap<string, number>; problems: ReadonlyMap<string, number> }
}

/** One line for the same event of the same origin in this time. */
const lineEveryMs = seconds(10)
/** So many things that are not there, asked for by one person within an hour, look like guessing. */
const manyMissing = 50

/** The network an address is of, and no more: /24 of IPv4, /48 of IPv6. */
export function truncated(address: string): string {
  const network = networkOf(address)
  if (!network.includes(':')) return `${network.split('.').slice(0, 3).join('.')}.0/24`
  return `${network.split(':').slice(0, 3).join(':')}::/48`
}

/** Events go to the log as lines with `event: 'security.…'`: no id, no address, nothing that a person wrote. */
export function createSecurityEvents(log: Pick<Logger, 'info'>, secrets: Secrets): SecurityEvents {
  const events = new Map<string, number>()
  const problems = new Map<string, number>()
  const silent = new LRUCache<string, true>({ ...upTo(10_000), ttl: lineEveryMs })
  const missing = new LRUCache<string, { count: number }>({ ...upTo(50_000), ttl: hours(1) })
  const nameOf = (userId: string) => secrets.hmac('log-user', userId).toString('base64url').slice(0, 16)
  const count = (map: Map<string, number>, name: string) => map.set(name, (map.get(name) ?? 0) + 1)

  function note(event: string, { userId, address, route, code, requestId }: Happening): void {
    count(events, event)
    const user = userId && nameOf(userId)
    const network = address && truncated(address)
    const key = `${event} ${user ?? network ?? ''}`
    if (silent.has(key)) return
    silent.set(key, true)
    log.info({ event: `security.${event}`, user, network, route, code, requestId }, 'security')
  }

  return {
    note,
    noteProblem(code, happening) {
      count(problems, code)
      if (code === 'rate_limited') return note('limited', happening)
      if (code === 'forbidden') return note('forbidden', happening)
      if (code !== 'not_found' || !happening.userId) return
      const seen = missing.get(happening.userId) ?? { count: 0 }
      seen.count += 1
      missing.set(happening.userId, seen, { noUpdateTTL: true })
      if (seen.count === manyMissing) note('probing', happening)
    },
    counts: () => ({ events, problems }),
  }
}
