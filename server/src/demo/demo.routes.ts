import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Platform } from '../platform/platform.ts'
import { mailCss, mailPage, readOutbox } from './mail-page.ts'

const policy = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'"

export function demoRoutes(app: FastifyInstance, { config }: Pick<Platform, 'config'>): void {
  app.get('/dev/mail', { schema: { hide: true } }, async (_request, reply) => {
    const mails = await readOutbox(join(config.dataDir, 'outbox'))
    reply.headers({ 'content-security-policy': policy, 'cache-control': 'no-store' })
    return reply.type('text/html; charset=utf-8').send(mailPage(mails))
  })
  app.get('/dev/mail.css', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(mailCss),
  )
}
