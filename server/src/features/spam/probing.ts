import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { AppError, rateLimited } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'

/** So many things that are not there one may ask for by their names; who asks for more is guessing. */
const misses = { name: 'missing_things', points: 300, seconds: 3_600 }

const namesSomething = ({ routeOptions }: FastifyRequest) => routeOptions.url?.includes('/:') === true

/**
 * Whoever keeps asking for people and things that are not there, for them, is answered `rate_limited` for a while,
 * whatever they ask for by its name: what is there and what is not looks the same then. Before the routes it guards.
 */
export function refuseProbing(http: FastifyInstance, { limits, clock }: Pick<Platform, 'limits' | 'clock'>): void {
  const until = new LRUCache<string, number>({ max: 10_000 })

  http.addHook('preValidation', async (request) => {
    const end = request.viewerId && until.get(request.viewerId)
    if (!end || !namesSomething(request)) return
    const left = end - clock.now().getTime()
    if (left > 0) throw rateLimited(left)
  })
  http.addHook('onResponse', async (request, reply) => {
    const { viewerId } = request
    if (!viewerId || reply.statusCode !== 404 || !namesSomething(request)) return
    await limits.spendHere(misses, viewerId).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error
      until.set(viewerId, clock.now().getTime() + (error.retryAfter ?? misses.seconds) * 1_000)
    })
  })
}
