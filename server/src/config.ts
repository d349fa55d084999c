import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import { productionFaults, productionWarnings } from './production.ts'

/** Thrown when the environment is wrong: one line per variable. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly lines: string[]
  constructor(lines: string[]) {
    super(lines.join('\n'))
    this.lines = lines
  }
}

const empty = (value: unknown) => (value === '' ? undefined : value)
const optional = <S extends z.ZodType>(schema: S) => z.preprocess(empty, schema.optional())
const url = (...protocols: string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    error: `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  })
const count = (min: number, max: number) =>
  z.string().regex(/^\d+$/, 'must be a whole number').transform(Number).pipe(z.number().min(min).max(max))
const port = count(0, 65_535)
const oneOf = <const V extends readonly [string, ...string[]]>(...values: V) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` })

/** A number of hops, or what Fastify's trustProxy takes: addresses, networks and the names of private ones. */
function isProxyList(value: string): boolean {
  if (/^\d+$/.test(value)) return true
  return value.split(',').every((part) => {
    const [address = '', bits] = part.trim().split('/')
    if (['loopback', 'linklocal', 'uniquelocal'].includes(address)) return bits === undefined
    return isIP(address) !== 0 && (bits === undefined || /^\d{1,3}$/.test(bits))
  })
}

const Environment = z.object({
  NODE_ENV: optional(z.string()),
  PORT: optional(port),
  HOST: optional(z.string()),
  PUBLIC_URL: optional(url('http:', 'https:')),
  DATA_DIR: optional(z.string()),
  DATABASE_URL: optional(url('postgres:', 'postgresql:')),
  REDIS_URL: optional(url('redis:', 'rediss:')),
  STORAGE_URL: optional(url('s3:')),
  MAIL_URL: optional(url('smtp:', 'smtps:')),
  MAIL_FROM: optional(z.string().max(320)),
  DEMO: optional(oneOf('on', 'off')),
  CHAT_POLICY: optional(oneOf('open', 'matches')),
  ADMIN_SECOND_FACTOR: optional(oneOf('required', 'optional')),
  PHOTO_REVIEW: optional(oneOf('after', 'before')),
  RATE_LIMIT_SCALE: optional(
    z
      .string()
      .regex(/^\d+(\.\d+)?$/, 'must be a number above 0')
      .transform(Number)
      .refine((value) => value > 0, 'must be a number above 0'),
  ),
  SUPER_ADMIN_EMAIL: optional(z.string().trim().toLowerCase().pipe(z.email('must be an e-mail address'))),
  SECRET_KEY: optional(z.string().refine((key) => Buffer.byteLength(key) >= 32, 'must have at least 32 bytes')),
  SECRET_KEY_PREVIOUS: optional(
    z.string().refine((key) => Buffer.byteLength(key) >= 32, 'must have at least 32 bytes'),
  ),
  LOG_LEVEL: optional(oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')),
  TRUST_PROXY: optional(
    z.string().refine(isProxyList, 'must be a number of hops, or addresses and networks with commas'),
  ),
  METRICS_PORT: optional(port),
})

/** The environment, read once. Paths are absolute. */
export interface Config {
  production: boolean
  /** What is not wrong and should be known: one line each. */
  warnings: string[]
  port: number
  host: string
  /** Where people reach us, without a slash at the end; the allowed Origin. Unset: http://localhost:PORT. */
  publicUrl: string | undefined
  dataDir: string
  databaseUrl: string | undefined
  redisUrl: string | undefined
  storageUrl: string | undefined
  mailUrl: string | undefined
  mailFrom: string
  demo: boolean
  chatPolicy: 'open' | 'matches'
  /** Optional: asked of those administrators alone who have set one up. */
  adminSecondFactor: 'required' | 'optional'
  photoReview: 'after' | 'before'
  rateLimitScale: number
  superAdminEmail: string | undefined
  secretKey: string | undefined
  /** The key before it, while what was made with it may still be about. */
  previousSecretKey: string | undefined
  logLevel: string
  /** Addresses or networks of proxies in front, or how many there are. */
  trustProxy: string | undefined
  metricsPort: number | undefined
}

/** Reads and checks the environment. Throws `ConfigError` with one line per wrong variable. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const { success, data, error } = Environment.safeParse(environment)
  if (!success) throw new ConfigError(error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`))
  const production = data.NODE_ENV === 'production'
  const faults = production ? productionFaults(data) : []
  if (faults.length > 0) throw new ConfigError(faults)
  return {
    production,
    warnings: production ? productionWarnings(data) : [],
    port: data.PORT ?? 3000,
    host: data.HOST ?? '127.0.0.1',
    publicUrl: data.PUBLIC_URL?.replace(/\/+$/, ''),
    dataDir: resolve(data.DATA_DIR ?? 'data'),
    databaseUrl: data.DATABASE_URL,
    redisUrl: data.REDIS_URL,
    storageUrl: data.STORAGE_URL,
    mailUrl: data.MAIL_URL,
    mailFrom: data.MAIL_FROM ?? 'Duet <no-reply@duet.invalid>',
    demo: data.DEMO === undefined ? data.DATABASE_URL === undefined && !production : data.DEMO === 'on',
    chatPolicy: data.CHAT_POLICY ?? 'open',
    adminSecondFactor: data.ADMIN_SECOND_FACTOR ?? (production ? 'required' : 'optional'),
    photoReview: data.PHOTO_REVIEW ?? 'after',
    rateLimitScale: data.RATE_LIMIT_SCALE ?? 1,
    superAdminEmail: data.SUPER_ADMIN_EMAIL,
    secretKey: data.SECRET_KEY,
    previousSecretKey: data.SECRET_KEY_PREVIOUS,
    logLevel: data.LOG_LEVEL ?? 'info',
    trustProxy: data.TRUST_PROXY,
    metricsPort: data.METRICS_PORT,
  }
}
