import { LRUCache } from 'lru-cache'
import { rateLimited } from '../errors.ts'
import { networkOf } from '../security/rate-limit.ts'
import { createBudgets, type SocketBudget } from '../security/socket-budget.ts'
import { upTo } from '../up-to.ts'

/** Counted in this process before the body is read. Expensive endpoints have their own limits too. */
export const requestsOfPerson: SocketBudget = { burst: 300, perSecond: 10 }
/** Per person and endpoint, so that the most expensive endpoint can't be called more often than others. */
export const requestsOfEndpoint: SocketBudget = { burst: 200, perSecond: 1.5 }
/** For all signed-out clients behind one address; an internet provider may put a whole town behind one. */
export const requestsOfNetwork: SocketBudget = { burst: 1_500, perSecond: 50 }
export const filesOfPerson: SocketBudget = { burst: 600, perSecond: 12 }

/** A token that was valid this recently is still looked up when the budget of its network is exhausted. */
const familiarMs = 10 * 60_000

export interface RequestBudgets {
  /**
   * Finds the viewer and counts the request against their budget, or their network's if they aren't signed in. Throws
   * `rate_limited`. An exhausted network budget saves the database lookup and doesn't affect people who are signed in.
   */
  countRequest<V extends { id: string }>(
    endpoint: string,
    address: string,
    token: string | undefined,
    find: (token: string) => Promise<V | undefined>,
  ): Promise<V | undefined>
  countFile(viewerId: string): void
}

function requireSome(waitMs: number): void {
  if (waitMs > 0) throw rateLimited(waitMs)
}

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
