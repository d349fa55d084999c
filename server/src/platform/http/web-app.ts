import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import statics from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { pageSecurityPolicy } from './http.ts'

const notPages = /^(api|media|socket\.io|dev\/mail)(\/|$)/
const hasDot = /\.\w+$/
/** The path, decoded and without its leading slash. */
const pathOf = ({ params }: FastifyRequest) => (params as { '*': string })['*']

/** Whether the request is for a file. A path with a dot is treated as a page if no such file exists. */
async function asksForFile(folder: string, request: FastifyRequest): Promise<boolean> {
  if (!hasDot.test(pathOf(request))) return false
  if (!request.headers.accept?.includes('text/html')) return true
  const path = resolve(folder, pathOf(request))
  if (!path.startsWith(resolve(folder) + sep)) return false
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`)

/**
 * Serves the web app's files, and its page for every other path. Paths starting with an `unlisted` prefix contain
 * secrets, so browsers may not cache these pages and search engines may not index them.
 */
export async function serveWebApp(
  app: FastifyInstance,
  folder: string,
  { demo, oidc }: Pick<Config, 'demo' | 'oidc'>,
  unlisted: readonly string[] = [],
): Promise<void> {
  const index = join(folder, 'index.html')
  if (!existsSync(index)) return
  await app.register(statics, {
    root: folder,
    serve: false,
    preCompressed: true,
    setHeaders: (reply, path) => {
      const isHashed = path.includes('/assets/')
      reply.header('content-security-policy', pageSecurityPolicy)
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  const demoMark = `<meta name="duet-demo" content="${demo ? 'on' : 'off'}">`
  const oidcMark = `<meta name="duet-oidc" content="${escaped(oidc?.name ?? '')}">`
  app.get('/*', { schema: { hide: true } }, async (request, reply) => {
    const path = pathOf(request)
    if (notPages.test(path)) return reply.callNotFound()
    if (await asksForFile(folder, request)) return reply.sendFile(path)
    // Read on every request: a build made while the server runs changes the file names in the page.
    const page = (await readFile(index, 'utf8'))
      .replace(/<meta name="duet-demo"[^>]*>/, demoMark)
      .replace(/<meta name="duet-oidc"[^>]*>/, () => oidcMark)
    const isUnlisted = unlisted.some((beginning) => path.startsWith(beginning))
    reply.header('content-security-policy', pageSecurityPolicy)
    if (isUnlisted) reply.header('x-robots-tag', 'noindex, nofollow')
    reply.header('cache-control', isUnlisted ? 'no-store' : 'no-cache')
    return reply.type('text/html; charset=utf-8').send(page)
  })
}
