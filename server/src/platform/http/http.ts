import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { constants } from 'node:zlib'
import { limits } from '@duet/contract/limits.ts'
import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import swagger from '@fastify/swagger'
import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import { jsonSchemaTransform, validatorCompiler } from 'fastify-type-provider-zod'
import type { Config } from '../../config.ts'
import { forbidden, malformed } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { rewriteForwardedFor, trustOf } from '../security/client-address.ts'
import type { Timings } from '../timings.ts'
import { serializeAnswers } from './answers.ts'
import { takeJson } from './json-body.ts'
import { answerBadAddress, answerUnknownRoute, createErrorHandler, longestName } from './problems.ts'

/** Our pages may run our scripts and show our pictures; none from elsewhere, and no inline code. */
export const pageSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  // Dialogs and toasts of our libraries insert style elements; styles run nothing.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' blob: data:",
  // Voice notes, and the one that was just recorded.
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
  // The only policy; it returns nothing but the script addresses of our own workers.
  'trusted-types duet-service-worker',
].join(';')

/** Every other answer is data: nothing in it may run or be shown in a frame. */
export const dataSecurityPolicy = "default-src 'none';frame-ancestors 'none'"

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose session the request came with; for what is counted and logged alone. */
    viewerId: string | undefined
    /** The code of the problem it was answered with. */
    problem: string | undefined
  }
}

/** How long things may take, in milliseconds, and how many there may be: no client is held up by another. */
const budgets = {
  headers: 10_000,
  /** A whole request with its body. Forms with pictures come over slow lines. */
  form: 120_000,
  body: 15_000,
  keepAlive: 10_000,
  /** A connection on which nothing comes and nothing goes. */
  silence: 60_000,
  checkEvery: 2_000,
  /** Longer than this, an answer is worth a line in the log. */
  slow: 2_000,
  requestsPerConnection: 1_000,
  connections: 20_000,
}

const permissionsPolicy = 'geolocation=(self), camera=(self), microphone=(self), payment=(), usb=(), browsing-topics=()'

/** What answers carry that no hook sees. */
const bareHeaders = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'permissions-policy': permissionsPolicy,
  'content-security-policy': dataSecurityPolicy,
  'cache-control': 'no-store',
}

/** A client that sends a body a letter at a time is cut off. */
function hurry({ raw }: FastifyRequest): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers
  if (raw.complete || (length === undefined && encoding === undefined)) return
  const timer = setTimeout(() => raw.destroy(), budgets.body)
  raw.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
}

/** One value for each name: two would be read one way here and another way elsewhere. */
function requireSingleValues({ query }: FastifyRequest): void {
  for (const value of Object.values(query as Record<string, unknown>))
    if (Array.isArray(value)) throw malformed('A name is in the address twice.')
}

/** Pages of others may not load pictures, even where a browser would let them. Who opens an address says `none`. */
function refuseCrossSite({ routeOptions: { url = '' }, headers }: FastifyRequest): void {
  if (url.startsWith('/media/') && headers['sec-fetch-site'] === 'cross-site') throw forbidden()
}

const statusOfFault: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
}

/** What cannot be read as HTTP is told so, and its connection closed. */
function answerGarbage({ code }: Error & { code?: string }, socket: Socket): void {
  if (code === 'ECONNRESET' || socket.destroyed || !socket.writable) return void socket.destroy()
  const status = statusOfFault[code ?? ''] ?? '400 Bad Request'
  socket.end(`HTTP/1.1 ${status}\r\nX-Content-Type-Options: nosniff\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
}

const isForm = (request: FastifyRequest) => /^multipart\//i.test(request.headers['content-type'] ?? '')

/**
 * Answers of the API are a fifth as long compressed. Only those of GET: others hold a new token beside what someone wrote.
 * Nothing can be read out of their lengths: a page of others can't ask with a token that no browser sends by itself.
 * Files of the web app are compressed when they are built.
 */
const compression = {
  global: true,
  // What comes in stays as it is: a compressed body can be a thousand times as long as it looks.
  globalDecompression: false,
  threshold: 1_024,
  customTypes: /^application\/json/,
  encodings: ['br' as const, 'gzip' as const],
  // Higher ones take several times as long for a tenth less.
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } },
  zlibOptions: { level: 3 },
}

const formLimits = {
  fileSize: limits.photoBytes,
  files: limits.photos,
  fields: 20,
  parts: limits.photos + 20,
  fieldSize: 1024,
  fieldNameSize: 100,
  headerPairs: 100,
}

/** The server and what its connections may cost. */
function openServer(config: Config, logger: Logger): FastifyInstance {
  const app = Fastify<Server>({
    loggerInstance: logger as never,
    logController: new LogController({ disableRequestLogging: !['debug', 'trace'].includes(config.logLevel) }),
    genReqId: () => randomUUID(),
    bodyLimit: 64 * 1024,
    http: { connectionsCheckingInterval: budgets.checkEvery },
    requestTimeout: budgets.form,
    connectionTimeout: budgets.silence,
    keepAliveTimeout: budgets.keepAlive,
    maxRequestsPerSocket: budgets.requestsPerConnection,
    clientErrorHandler: answerGarbage,
    frameworkErrors: (error, request, reply) => answerBadAddress(error, request, reply.headers(bareHeaders)),
    forceCloseConnections: true,
    routerOptions: { maxParamLength: longestName, ignoreTrailingSlash: false },
    trustProxy: trustOf(config.trustProxy),
  })
  rewriteForwardedFor(app.server)
  app.server.headersTimeout = budgets.headers
  app.server.maxConnections = budgets.connections
  return app
}

/** Headers of every answer, and what is refused whatever the route. */
async function protect(app: FastifyInstance, { publicUrl }: Config): Promise<void> {
  await app.register(helmet, {
    // Sent below: Helmet would put it together anew for every request.
    contentSecurityPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
    // For browsers that are no longer in use.
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    originAgentCluster: false,
    crossOriginEmbedderPolicy: false,
    strictTransportSecurity: (publicUrl ?? '').startsWith('https:') && {
      maxAge: 63_072_000,
      includeSubDomains: true,
    },
  })
  app.addHook('onRequest', async (request, reply) => {
    // Routes that send a page or a file loosen it: an address has many spellings, and a route has one.
    reply.headers({
      'permissions-policy': permissionsPolicy,
      'content-security-policy': dataSecurityPolicy,
      'cache-control': 'no-store',
    })
    requireSingleValues(request)
    refuseCrossSite(request)
  })
}

/** The HTTP server: limits, headers, validation, problem answers; routes are mounted by others. */
export async function createHttp(
  config: Config,
  logger: Logger,
  timings: Pick<Timings, 'request'>,
): Promise<FastifyInstance> {
  const app = openServer(config, logger)
  app.removeContentTypeParser('text/plain')
  takeJson(app)
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializeAnswers)
  app.decorateRequest('viewerId', undefined)
  app.decorateRequest('problem', undefined)
  app.setErrorHandler(createErrorHandler())
  app.setNotFoundHandler(answerUnknownRoute)
  await protect(app, config)
  // Before the plugin looks at the route.
  app.addHook('onRoute', (route) => {
    if (route.method !== 'GET') route.compress = false
  })
  await app.register(compress, compression)
  app.addHook('onResponse', async (request, reply) => {
    const ms = Math.round(reply.elapsedTime)
    const route = request.routeOptions.url ?? 'unknown'
    timings.request({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    if (ms >= budgets.slow) request.log.warn({ req: request, res: reply, ms }, 'a request took long')
  })
  app.addHook('preParsing', async (request) => {
    if (!isForm(request)) hurry(request)
  })
  await app.register(multipart, { limits: formLimits })
  await app.register(swagger, {
    openapi: {
      info: { title: 'Duet', version: '1' },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
    transform: jsonSchemaTransform,
  })
  return app
}
