import type { AnswerOf, EndpointSpec, ParsedRequestOf } from '@duet/contract/endpoint.ts'
import { errorStatus, Problem } from '@duet/contract/errors.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from './clock.ts'
import { requirePassage } from './policy.ts'
import type { Sessions, Viewer } from './session.ts'

/** The viewer of an endpoint: nobody on public ones. */
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

/** Mounts one endpoint of the contract. */
export type Serve = <const E extends EndpointSpec>(spec: E, handle: Handler<E>) => void

/** How long an answer may take; a form comes over slow lines. */
const handlerMs = { form: 120_000, other: 20_000 }

function bearerOf(request: FastifyRequest): string | undefined {
  return /^bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
}

async function viewerOf(sessions: Sessions, request: FastifyRequest): Promise<Viewer | undefined> {
  const token = bearerOf(request)
  return token ? sessions.find(token) : undefined
}

function schemaOf(spec: EndpointSpec) {
  const problems = (spec.errors ?? []).map((code) => [errorStatus[code], Problem] as const)
  return {
    summary: spec.summary,
    tags: [spec.path.split('/')[2] ?? 'api'],
    ...(spec.access !== 'public' && { security: [{ bearer: [] }] }),
    ...(spec.multipart && { consumes: ['multipart/form-data'] }),
    ...(spec.params && { params: spec.params }),
    ...(spec.query && { querystring: spec.query }),
    ...(spec.body && { body: spec.body }),
    response: { [spec.status ?? 200]: spec.response, ...Object.fromEntries(problems) },
  }
}

/** `serve` for an app: the policy first, then validation on the way in, then the handler, then validation on the way out. */
export function createServe(app: FastifyInstance, sessions: Sessions, clock: Clock): Serve {
  return (spec, handle) => {
    const viewers = new WeakMap<FastifyRequest, Viewer>()
    app.route({
      method: spec.method,
      url: spec.path,
      schema: schemaOf(spec),
      handlerTimeout: spec.multipart ? handlerMs.form : handlerMs.other,
      onRequest: async (request) => {
        const viewer = await viewerOf(sessions, request)
        request.viewerId = viewer?.id
        requirePassage(spec, viewer, clock.now())
        if (viewer) viewers.set(request, viewer)
      },
      handler: async (request, reply) => {
        reply.code(spec.status ?? 200)
        const input = { params: request.params, query: request.query, body: request.body }
        const call = { viewer: viewers.get(request), request, reply }
        return handle(input as unknown as Parameters<typeof handle>[0], call as unknown as Parameters<typeof handle>[1])
      },
    })
  }
}
