import { LRUCache } from 'lru-cache'
import { rateLimited } from '../errors.ts'
import { networkOf } from '../security/rate-limit.ts'
import { createBudgets, type SocketBudget } from '../security/socket-budget.ts'
import { upTo } from '../up-to.ts'

/** How much may be asked before anything is looked at, in this process; what is dear has limits of its own. */
export const requestsOfPerson: SocketBudget = { burst: 300, perSecond: 10 }
/** Of one endpoint by one person: what is dearest of all may be asked for as often as the rest. */
export const requestsOfEndpoint: SocketBudget = { burst: 200, perSecond: 1.5 }
/** Of all who are not signed in behind one address: a provider may put a town behind it. */
export const requestsOfNetwork: SocketBudget = { burst: 1_500, perSecond: 50 }
/** Pictures and voice messages: a long conversation shows many at once. */
export const filesOfPerson: SocketBudget = { burst: 600, perSecond: 12 }

/** A token that was good within so long is looked up even where its network has used up what strangers may ask. */
const familiarMs = 10 * 60_000

export interface RequestBudgets {
  /**
   * Finds the viewer of a request of `endpoint` and counts it: as theirs, or as their network's when there is no viewer.
   * Throws `rate_limited`; a network that is used up costs no look into the database, and no one who is signed in notices.
   */
  countRequest<V extends { id: string }>(
    endpoint: string,
    address: string,
    token: string | undefined,
    find: (token: string) => Promise<V | undefined>,
  ): Promise<V | undefined>
  /** Counts one file that is fetched. Throws `rate_limited`. */
  countFile(viewerId: string): void
}

function requireSome(waitMs: number): void {
  if (waitMs > 0) throw rateLimited(waitMs)
}

/** Budgets of this process; `scale` multiplies them. */
export function createRequestBudgets(scale: number): RequestBudgets {
  const people = createBudgets(requestsOfPerson, scale)
  const endpoints = createBudgets(requestsOfEndpoint, scale)
  const networks = createBudgets(requestsOfNetwork, scale)
  const files = createBudgets(filesOfPerson, scale)
  const familiar = new LRUCache<string, true>({ ...upTo(50_000), ttl: familiarMs })
  return {
    async countRequest(endpoint, address, token, find) {
      const network = networkOf(address)
      const isStranger = token === undefined || !familiar.has(token)
      if (isStranger) requireSome(networks.spend(network))
      const viewer = token === undefined ? undefined : await find(token)
      if (token === undefined || !viewer) {
        if (!isStranger && token) familiar.delete(token)
        return undefined
      }
      if (isStranger) networks.giveBack(network)
      familiar.set(token, true)
      requireSome(people.spend(viewer.id))
      requireSome(endpoints.spend(`${viewer.id} ${endpoint}`))
      return viewer
    },
    countFile: (viewerId) => requireSome(files.spend(viewerId)),
  }
}
