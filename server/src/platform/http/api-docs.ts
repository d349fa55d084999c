import Fastify, { type FastifyInstance } from 'fastify'

const at = '/api/docs'
// Its page has an inline script; it is for developers, and only where the demo is on.
const policy = "default-src 'self' 'unsafe-inline' data: blob:"

/** The description as pages for developers, in a server of its own: it takes 17 MB, which no one pays for who never looks. */
async function openReference(): Promise<FastifyInstance> {
  const { default: reference } = await import('@scalar/fastify-api-reference')
  const server = Fastify()
  await server.register(reference, {
    routePrefix: at,
    // Nothing is loaded from elsewhere.
    configuration: { url: '/api/openapi.json', withDefaultFonts: false, telemetry: false },
  })
  return server
}

/** The API in words: as OpenAPI always, readable where the demo is on. */
export function serveDocs(app: FastifyInstance, demo: boolean): void {
  // It is public, and it is a third of a megabyte that never changes: put together once, and not compressed for everyone.
  let description: string | undefined
  app.get('/api/openapi.json', { schema: { hide: true }, compress: false }, async (_request, reply) => {
    description ??= JSON.stringify(app.swagger())
    return reply.type('application/json; charset=utf-8').send(description)
  })
  if (!demo) return
  let opened: Promise<FastifyInstance> | undefined
  // Not compressed anew for everyone, either.
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
