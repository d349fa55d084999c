import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import statics from '@fastify/static'
import type { FastifyInstance } from 'fastify'

/** Serves the web app of `folder`: its files, and its page for every path that is no file. */
export async function serveWebApp(app: FastifyInstance, folder: string, demo: boolean): Promise<void> {
  const index = join(folder, 'index.html')
  if (!existsSync(index)) return
  const page = readFileSync(index, 'utf8').replace(
    /<meta name="duet-demo"[^>]*>/,
    `<meta name="duet-demo" content="${demo ? 'on' : 'off'}">`,
  )
  await app.register(statics, {
    root: folder,
    index: false,
    wildcard: false,
    preCompressed: true,
    setHeaders: (reply, path) => {
      reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  app.get('/*', { schema: { hide: true } }, async (request, reply) => {
    if (/^\/(api|media|socket\.io|dev\/mail)(\/|\?|$)/.test(request.url)) return reply.callNotFound()
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page)
  })
}

/** The API in words: as OpenAPI always, readable where the demo is on. */
export async function serveDocs(app: FastifyInstance, demo: boolean): Promise<void> {
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger())
  if (!demo) return
  const { default: reference } = await import('@scalar/fastify-api-reference')
  await app.register(reference, {
    routePrefix: '/api/docs',
    configuration: { url: '/api/openapi.json' },
    hooks: {
      // Its page has an inline script; it is for developers, and only where the demo is on.
      onRequest: (_request, reply, done) => {
        reply.header('content-security-policy', "default-src 'self' 'unsafe-inline' data: blob:")
        done()
      },
    },
  })
}
