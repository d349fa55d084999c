import swagger from '@fastify/swagger'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { serveDocs } from './api-docs.ts'

async function started({ demo }: { demo: boolean }) {
  const app = Fastify()
  await app.register(swagger, { openapi: {} })
  serveDocs(app, demo)
  return app
}

it('With the demo on, the API reference is a page that loads nothing from other servers', async () => {
  const app = await started({ demo: true })
  const led = await app.inject('/api/docs')
  expect([led.statusCode, led.headers.location]).toEqual([301, '/api/docs/'])
  const page = await app.inject('/api/docs/')
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.headers['content-security-policy']).toContain("default-src 'self'")
  expect(page.body).toContain('/api/openapi.json')
  const [, path = ''] = /<script src="([^"]+)"/.exec(page.body) ?? []
  const script = await app.inject(new URL(path, 'http://localhost/api/docs/').pathname)
  expect([script.statusCode, script.headers['content-type']]).toEqual([200, 'application/javascript; charset=utf-8'])
  expect(script.rawPayload.length).toBeGreaterThan(1_000_000)
  expect((await app.inject('/api/docs/else')).statusCode).toBe(404)
})

it('The OpenAPI document is always served, the reference pages only with the demo', async () => {
  const app = await started({ demo: false })
  expect((await app.inject('/api/openapi.json')).json()).toHaveProperty('openapi')
  expect((await app.inject('/api/docs/')).statusCode).toBe(404)
})
