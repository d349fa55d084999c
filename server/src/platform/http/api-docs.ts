import Fastify, { type FastifyInstance } from 'fastify'

const at = '/api/docs'
// The API reference page has an inline script. It is for developers and exists only when the demo is on.
const policy = "default-src 'self' 'unsafe-inline' data: blob:"

/** Runs in a separate server, started on the first visit, because the API reference takes 17 MB of memory. */
async function openReference(): Promise<FastifyInstance> {
  const { default: reference } = await import('@scalar/fastify-api-reference')
  const server = Fastify()
  await server.register(reference, {
    routePrefix: at,
    configuration: { url: '/api/openapi.json', withDefaultFonts: false, telemetry: false },
  })
  return server
}

export function serveDocs(app: FastifyInstance, demo: boolean): void {
  // The description is a third of a megabyte, public and constant, so serialise it once and don't compress it per
  // request.
  let description: string | undefined
  app.get('/api/openapi.json', { schema: { hide: true }, compress: false }, async (_request, reply) => {
    description ??= JSON.stringify(app.swagger())
    return reply.type('application/json; charset=utf-8').send(description)
  })
  if (!demo) return
  let opened: Promise<FastifyInstance> | undefined
  for (const path of [at, `${at}/*`])
    app.get(path, { schema: { hide: true }, compress: false }, async ({ url }, reply) => {
      opened ??= openReference().catch((error: unknown) => {
        opened = undefined
        throw error
      })
      const answer = await (await opened).inject(url)
      if (answer.statusCode === 404) return reply.callNotFound()
      const { 'content-type': type, location } = answer.headers
      if (location) return reply.redirect(location, answer.statusCode)
      return reply
        .code(answer.statusCode)
        .headers({ 'content-security-policy': policy, 'content-type': type })
        .send(answer.rawPayload)
    })
}
