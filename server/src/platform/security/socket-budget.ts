import { LRUCache } from 'lru-cache'
import { upTo } from '../up-to.ts'

/** A token bucket: allows `burst` immediately, then `perSecond`. */
export interface SocketBudget {
  burst: number
  perSecond: number
}

// Limits all packets of a connection, including unsolicited acknowledgements, other namespaces and heartbeats. Our
// clients never come near this limit, so exceeding it closes the connection immediately, even before sign-in.
export const packetsOfConnection: SocketBudget = { burst: 1_000, perSecond: 200 }
// Far more than anyone types or taps by hand.
export const eventsOfConnection: SocketBudget = { burst: 60, perSecond: 20 }
// Shared by all of a person's devices, each of which sends a burst of events when it reconnects.
export const eventsOfPerson: SocketBudget = { burst: 240, perSecond: 30 }
// Per kind of event. After a dropped connection, a client reports its read position in every conversation.
export const eventsOfKind: SocketBudget = { burst: 200, perSecond: 8 }
// Our clients wait as long as they are told, so they aren't counted. If a client ignores refusals, all connections of
// its person are closed.
export const refusalsOfPerson: SocketBudget = { burst: 200, perSecond: 5 }
// When all clients reconnect together, this spreads them over a few seconds: refused ones retry.
export const handshakesOfProcess: SocketBudget = { burst: 2_000, perSecond: 1_000 }
// Per person: each device reconnects with one handshake, after a second at the earliest.
export const handshakesOfPerson: SocketBudget = { burst: 60, perSecond: 1.5 }
// For handshakes without a valid session. Members' handshakes are refunded, however many share an address.
export const handshakesOfNetwork: SocketBudget = { burst: 500, perSecond: 35 }

/** A class, because every connection has two buckets, and shared methods save memory. */
class Bucket {
  private last: number
  constructor(
    private readonly most: number,
    private readonly perMs: number,
    private readonly now: () => number,
    private tokens = most,
  ) {
    this.last = now()
  }

  spend(): number {
    const at = this.now()
    this.tokens = Math.min(this.most, this.tokens + (at - this.last) * this.perMs)
    this.last = at
    if (this.tokens < 1) return Math.ceil((1 - this.tokens) / this.perMs)
    this.tokens -= 1
    return 0
  }

  giveBack(): void {
    this.tokens = Math.min(this.most, this.tokens + 1)
  }
}

const sinceStart = () => performance.now()

/** Starts full. `scale` multiplies burst and rate; at least one use is always allowed. */
export const createBudget = ({ burst, perSecond }: SocketBudget, scale: number, now = sinceStart): Bucket =>
  new Bucket(Math.max(1, burst * scale), (perSecond * scale) / 1000, now)

/** One bucket per key. Evicting the least recently used one is harmless: it has refilled by then. */
export function createBudgets(budget: SocketBudget, scale: number) {
  const buckets = new LRUCache<string, Bucket>(upTo(50_000))
  const bucketOf = (key: string) => {
    const bucket = buckets.get(key) ?? createBudget(budget, scale)
    buckets.set(key, bucket)
    return bucket
  }
  return { spend: (key: string) => bucketOf(key).spend(), giveBack: (key: string) => bucketOf(key).giveBack() }
}

export type Budgets = ReturnType<typeof createBudgets>
