import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import { limits } from '@duet/contract/limits.ts'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import swagger from '@fastify/swagger'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { Config } from '../config.ts'
import type { Logger } from './logger.ts'
import { answerProblem, answerUnknownRoute } from './problems.ts'

/** Pages of ours may run our scripts and show our pictures; nobody else's, and no inline code. */
const contentSecurityPolicy = [
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
].join(';')

/** Answers of the API are data: nothing in them may run or be shown in a frame. */
const dataSecurityPolicy = "default-src 'none';frame-ancestors 'none'"

/** Whose X-Forwarded-For counts: nobody's, that of the last `n` hops, or of the networks named. */
function trustOf(trustProxy: string | undefined) {
  if (trustProxy === undefined) return false
  if (!/^\d+$/.test(trustProxy)) return trustProxy
  return (_address: string, hop: number) => hop < Number(trustProxy)
}

/** The HTTP server: limits, headers, validation, problem answers; routes are mounted by others. */
export async function createHttp(config: Config, logger: Logger): Promise<FastifyInstance> {
  const app = Fastify<Server>({
    loggerInstance: logger as never,
    logController: new LogController({ disableRequestLogging: !['debug', 'trace'].includes(config.logLevel) }),
    genReqId: () => randomUUID(),
    bodyLimit: 64 * 1024,
    requestTimeout: 120_000,
    connectionTimeout: 0,
    keepAliveTimeout: 10_000,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: false },
    trustProxy: trustOf(config.trustProxy),
  })
  app.server.headersTimeout = 10_000
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(answerProblem)
  app.setNotFoundHandler(answerUnknownRoute)
  await app.register(helmet, {
    // Sent below: Helmet would put it together anew for every request.
    contentSecurityPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
    // For browsers that nobody uses any more.
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    originAgentCluster: false,
    crossOriginEmbedderPolicy: false,
    strictTransportSecurity: (config.publicUrl ?? '').startsWith('https:') && {
      maxAge: 63_072_000,
      includeSubDomains: true,
    },
  })
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/api')) {
      reply.header('content-security-policy', dataSecurityPolicy).header('cache-control', 'no-store')
    } else {
      reply.header('content-security-policy', contentSecurityPolicy)
      reply.header('permissions-policy', 'geolocation=(self), camera=(self), microphone=(self), payment=()')
    }
  })
  await app.register(multipart, {
    limits: { fileSize: limits.photoBytes, files: limits.photos, fields: 20, fieldSize: 1024, headerPairs: 100 },
  })
  await app.register(swagger, {
    openapi: {
      info: { title: 'Duet', version: '1' },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
    transform: jsonSchemaTransform,
  })
  return app
}
