import { LRUCache } from 'lru-cache'
import { hours, seconds } from '../clock.ts'
import type { Logger } from '../logger.ts'
import { upTo } from '../up-to.ts'
import { networkOf } from './rate-limit.ts'
import type { Secrets } from './secrets.ts'

/**
 * The people and addresses an event concerns. User ids are hashed and network addresses truncated before they are
 * logged.
 */
export interface Happening {
  userId?: string | undefined
  address?: string | undefined
  route?: string | undefined
  code?: string | undefined
  requestId?: string | undefined
}

export interface SecurityEvents {
  note(event: string, happening: Happening): void
  noteProblem(code: string, happening: Happening): void
  counts(): { events: ReadonlyMap<string, number>; problems: ReadonlyMap<string, number> }
}

/** The same event from the same source is logged at most once in this time. */
const lineEveryMs = seconds(10)
/** This many `not_found` responses to one person within an hour look like guessing. */
const manyMissing = 50

/** Truncates an address to its /24 (IPv4) or /48 (IPv6). */
export function truncated(address: string): string {
  const network = networkOf(address)
  if (!network.includes(':')) return `${network.split('.').slice(0, 3).join('.')}.0/24`
  return `${network.split(':').slice(0, 3).join(':')}::/48`
}

/** Logs events as `event: 'security.…'`, without ids, full addresses or anything a person wrote. */
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
