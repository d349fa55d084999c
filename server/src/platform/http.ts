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
const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    // Dialogs and toasts of our libraries insert style elements; styles run nothing.
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'blob:', 'data:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    manifestSrc: ["'self'"],
    workerSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
    objectSrc: ["'none'"],
    requireTrustedTypesFor: ["'script'"],
  },
}

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
    contentSecurityPolicy,
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginEmbedderPolicy: false,
    strictTransportSecurity: (config.publicUrl ?? '').startsWith('https:') && {
      maxAge: 63_072_000,
      includeSubDomains: true,
    },
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.header('permissions-policy', 'geolocation=(self), camera=(), microphone=(), payment=()')
    if (request.url.startsWith('/api')) reply.header('cache-control', 'no-store')
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
