import type { AnswerOf, EndpointSpec, ParsedRequestOf } from '@duet/contract/endpoint.ts'
import { errorStatus, Problem } from '@duet/contract/errors.ts'
import type { RateLimit } from '@duet/contract/rate-limits.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../clock.ts'
import { lacksProof, requirePassage } from '../security/policy.ts'
import { type RateLimits, withinLimit } from '../security/rate-limit.ts'
import type { Sessions, Viewer } from '../security/session.ts'
import type { RequestBudgets } from './request-budgets.ts'

type ViewerOf<E extends EndpointSpec> = E['access'] extends 'public' ? Viewer | undefined : Viewer

interface Call<E extends EndpointSpec> {
  viewer: ViewerOf<E>
  request: FastifyRequest
  reply: FastifyReply
}

export type Handler<E extends EndpointSpec> = (
  input: ParsedRequestOf<E>,
  call: Call<E>,
) => Promise<AnswerOf<E>> | AnswerOf<E>

export type Serve = <const E extends EndpointSpec>(spec: E, handle: Handler<E>) => void

/** Timeouts in milliseconds. Forms may come over slow connections. */
const handlerMs = { form: 120_000, other: 20_000 }

/**
 * Sent when a session has ended. Doesn't include "storage", which the page clears itself: it would also delete a
 * sign-in that happened meanwhile.
 */
export const forgetPictures = { 'clear-site-data': '"cache"' }

function bearerOf(request: FastifyRequest): string | undefined {
  return /^bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
}

function inWords({ points, seconds, by, isRefunded }: RateLimit): string {
  const most = `At most ${points} times in ${seconds} seconds for each ${by ?? 'person'}.`
  return isRefunded ? `${most} The first ${points} refused requests in that time don't count.` : most
}

function schemaOf(spec: EndpointSpec) {
  const problems = (spec.errors ?? []).map((code) => [errorStatus[code], Problem] as const)
  return {
    summary: spec.summary,
    ...(spec.limit && { description: inWords(spec.limit) }),
    tags: [spec.path.split('/')[2] ?? 'api'],
    ...(spec.access !== 'public' && { security: [{ bearer: [] }] }),
    ...(spec.multipart && { consumes: ['multipart/form-data'] }),
    ...(spec.params && { params: spec.params }),
    ...(spec.query && { querystring: spec.query }),
    ...(spec.body && { body: spec.body }),
    response: { [spec.status ?? 200]: spec.response, ...Object.fromEntries(problems) },
  }
}

interface Serving {
  sessions: Sessions
  clock: Clock
  budgets: RequestBudgets
  limits: RateLimits
}

/**
 * Checks each request in this order: budgets, access policy, input validation, the endpoint's limit, the handler,
 * output validation.
 */
export function createServe(app: FastifyInstance, { sessions, clock, budgets, limits }: Serving): Serve {
  return (spec, handle) => {
    const viewers = new WeakMap<FastifyRequest, Viewer>()
    const endpoint = `${spec.method} ${spec.path}`
    app.route({
      method: spec.method,
      url: spec.path,
      schema: schemaOf(spec),
      // Requests without an account must stay cheap, so don't compress their responses.
      ...(spec.access === 'public' && { compress: false }),
      handlerTimeout: spec.multipart ? handlerMs.form : handlerMs.other,
      onRequest: async (request, reply) => {
        const token = bearerOf(request)
        let viewer = await budgets.countRequest(endpoint, request.ip, token, sessions.find)
        request.viewerId = viewer?.id
        if (viewer && token && lacksProof(spec, viewer, clock.now())) {
          // The viewer may just have authenticated through another node, and our cache can be a second old.
          sessions.forget(viewer.sessionId)
          viewer = await sessions.find(token)
        }
        if (token !== undefined && !viewer && spec.access !== 'public') reply.headers(forgetPictures)
        requirePassage(spec, viewer, clock.now())
        if (viewer) viewers.set(request, viewer)
      },
      handler: async (request, reply) => {
        reply.code(spec.status ?? 200)
        const input = { params: request.params, query: request.query, body: request.body }
        const viewer = viewers.get(request)
        const call = { viewer, request, reply }
        const act = async () =>
          handle(input as unknown as Parameters<typeof handle>[0], call as unknown as Parameters<typeof handle>[1])
        return spec.limit ? withinLimit(limits, spec.limit, { viewer, address: request.ip }, act) : act()
      },
    })
  }
}
