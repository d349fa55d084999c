import type { conversationRequests } from '@duet/contract/conversations.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { AppError, rateLimited } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Connection, RequestHandlers } from '../../platform/realtime/realtime.ts'
import { upTo } from '../../platform/up-to.ts'

/** How many nonexistent things a person may request by id. More than that is guessing. */
const misses = { name: 'missing_things', points: 300, seconds: 3_600 }

const namesSomething = ({ routeOptions }: FastifyRequest) => routeOptions.url?.includes('/:') === true

type Handlers = Pick<RequestHandlers, keyof typeof conversationRequests>
type Handler = (payload: never, connection: Connection) => unknown

export interface Probing {
  /** Applies the same limit to socket requests that name a person. */
  guard(handlers: Handlers): Handlers
}

/**
 * A client that keeps requesting nonexistent people and things gets `rate_limited` for every request by id, so that
 * existing and missing ones look the same. Install it before the routes it guards.
 */
export function refuseProbing(http: FastifyInstance, { limits, clock }: Pick<Platform, 'limits' | 'clock'>): Probing {
  const until = new LRUCache<string, number>(upTo(10_000))

  function requirePatience(viewerId: string): void {
    const end = until.get(viewerId)
    const left = end === undefined ? 0 : end - clock.now().getTime()
    if (left > 0) throw rateLimited(left)
  }
  async function noteMiss(viewerId: string): Promise<void> {
    await limits.spendHere(misses, viewerId).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error
      until.set(viewerId, clock.now().getTime() + (error.retryAfter ?? misses.seconds) * 1_000)
    })
  }

  http.addHook('preValidation', async (request) => {
    if (request.viewerId && namesSomething(request)) requirePatience(request.viewerId)
  })
  http.addHook('onResponse', async (request, reply) => {
    const { viewerId } = request
    if (viewerId && reply.statusCode === 404 && namesSomething(request)) await noteMiss(viewerId)
  })

  const guarded = (handler: Handler): Handler => {
    return async (payload, connection) => {
      requirePatience(connection.viewer.id)
      try {
        return await handler(payload, connection)
      } catch (error) {
        if (error instanceof AppError && error.code === 'not_found') await noteMiss(connection.viewer.id)
        throw error
      }
    }
  }
  return {
    guard: ({ get_conversations, ...naming }) => {
      const entries = Object.entries(naming).map(([name, handler]) => [name, guarded(handler as Handler)])
      return { ...(Object.fromEntries(entries) as typeof naming), get_conversations }
    },
  }
}
