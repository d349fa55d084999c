import { LRUCache } from 'lru-cache'
import { upTo } from '../up-to.ts'

/** A token bucket: `burst` at once and `perSecond` after that. */
export interface SocketBudget {
  burst: number
  perSecond: number
}

// Whatever comes by a connection, also what is no event: answers to what was never asked, other namespaces, heartbeats. No
// client of ours comes near it, so that who passes it is cut off at once, known or not.
export const packetsOfConnection: SocketBudget = { burst: 1_000, perSecond: 200 }
// A person types and taps; this is far more than a person does by hand.
export const eventsOfConnection: SocketBudget = { burst: 60, perSecond: 20 }
// Of all devices together: each comes back with a burst of its own.
export const eventsOfPerson: SocketBudget = { burst: 240, perSecond: 30 }
// Of one kind of event: a line that comes and goes tells of every conversation how far it has been read.
export const eventsOfKind: SocketBudget = { burst: 200, perSecond: 8 }
// A client of ours waits as long as it is told to, and is not counted; one that goes on and on is cut off, on all
// connections of its person.
export const refusalsOfPerson: SocketBudget = { burst: 200, perSecond: 5 }
// When all clients come back at once, the storm spreads over some seconds: those refused try again.
export const handshakesOfProcess: SocketBudget = { burst: 2_000, perSecond: 1_000 }
// Of one person's devices: each comes back with a handshake, after a second at the earliest.
export const handshakesOfPerson: SocketBudget = { burst: 60, perSecond: 1.5 }
// Handshakes that no one signs in with. Those of members are given back, however many share an address.
export const handshakesOfNetwork: SocketBudget = { burst: 500, perSecond: 35 }

/** One bucket. Each connection has two: methods that they share keep them small. */
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

  /** Takes one and answers 0, or the milliseconds to wait for the next. */
  spend(): number {
    const at = this.now()
    this.tokens = Math.min(this.most, this.tokens + (at - this.last) * this.perMs)
    this.last = at
    if (this.tokens < 1) return Math.ceil((1 - this.tokens) / this.perMs)
    this.tokens -= 1
    return 0
  }

  /** Puts one back. */
  giveBack(): void {
    this.tokens = Math.min(this.most, this.tokens + 1)
  }
}

const sinceStart = () => performance.now()

/** A full bucket; `scale` multiplies both numbers of its budget. One is always let through at first. */
export const createBudget = ({ burst, perSecond }: SocketBudget, scale: number, now = sinceStart): Bucket =>
  new Bucket(Math.max(1, burst * scale), (perSecond * scale) / 1000, now)

/** A bucket for each key; the longest unused are forgotten first, full as they are by then. */
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
