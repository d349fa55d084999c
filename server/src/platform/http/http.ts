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

/** Allows our own scripts and images, nothing from other origins and no inline scripts. */
export const pageSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  // Our libraries insert style elements for dialogs and toasts. Styles can't run code.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' blob: data:",
  // `blob:` is needed to play a voice message before it is sent.
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
  // Our only Trusted Types policy. It allows only the script URLs of our own workers.
  'trusted-types duet-service-worker',
].join(';')

export const dataSecurityPolicy = "default-src 'none';frame-ancestors 'none'"

declare module 'fastify' {
  interface FastifyRequest {
    viewerId: string | undefined
    problem: string | undefined
  }
}

/** Limits that keep one client from blocking others, in milliseconds. */
const budgets = {
  headers: 10_000,
  /** A whole request including its body. Forms with photos may come over slow connections. */
  form: 120_000,
  body: 15_000,
  keepAlive: 10_000,
  silence: 60_000,
  checkEvery: 2_000,
  slow: 2_000,
  requestsPerConnection: 1_000,
  connections: 20_000,
}

const permissionsPolicy = 'geolocation=(self), camera=(self), microphone=(self), payment=(), usb=(), browsing-topics=()'

/** For responses sent without running Fastify's hooks. */
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

function hurry({ raw }: FastifyRequest): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers
  if (raw.complete || (length === undefined && encoding === undefined)) return
  const timer = setTimeout(() => raw.destroy(), budgets.body)
  raw.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
}

/** A repeated query parameter would be read differently by different parsers. */
function requireSingleValues({ query }: FastifyRequest): void {
  for (const value of Object.values(query as Record<string, unknown>))
    if (Array.isArray(value)) throw malformed('The address has the same parameter twice.')
}

/**
 * Other sites may not embed photos, even in browsers that would allow it. Opening a URL directly sends `none`, which is
 * allowed.
 */
function refuseCrossSite({ routeOptions: { url = '' }, headers }: FastifyRequest): void {
  if (url.startsWith('/media/') && headers['sec-fetch-site'] === 'cross-site') throw forbidden()
}

const statusOfFault: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
}

function answerGarbage({ code }: Error & { code?: string }, socket: Socket): void {
  if (code === 'ECONNRESET' || socket.destroyed || !socket.writable) return void socket.destroy()
  const status = statusOfFault[code ?? ''] ?? '400 Bad Request'
  socket.end(`HTTP/1.1 ${status}\r\nX-Content-Type-Options: nosniff\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
}

const isForm = (request: FastifyRequest) => /^multipart\//i.test(request.headers['content-type'] ?? '')

/**
 * Shrinks API responses to a fifth. Only for GET: other responses may contain a new token next to text a person wrote.
 * The compressed length leaks nothing to other sites, which can't send our token.
 */
const compression = {
  global: true,
  // Compressed request bodies are rejected: a small one could unpack to a thousand times its size.
  globalDecompression: false,
  threshold: 1_024,
  customTypes: /^application\/json/,
  encodings: ['br' as const, 'gzip' as const],
  // Higher levels take several times as long for 10% less.
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

async function protect(app: FastifyInstance, { publicUrl }: Config): Promise<void> {
  await app.register(helmet, {
    // Set below, because Helmet would rebuild the header for every request.
    contentSecurityPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
    // Legacy headers for browsers nobody uses anymore; off.
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
    // Strict defaults; routes that send a page or a file relax them. Chosen by route, because one path can be spelled
    // in many ways.
    reply.headers({
      'permissions-policy': permissionsPolicy,
      'content-security-policy': dataSecurityPolicy,
      'cache-control': 'no-store',
    })
    requireSingleValues(request)
    refuseCrossSite(request)
  })
}

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
  // Registered first, so that the plugin sees the changed routes.
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
