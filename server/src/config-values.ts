import { isIP } from 'node:net'
import { isAbsolute } from 'node:path'
import { asEmail, emailFaultOf } from '@duet/contract/email-address.ts'
import { z } from 'zod'

const empty = (value: unknown) => (value === '' ? undefined : value)

export const optional = <S extends z.ZodType>(schema: S) => z.preprocess(empty, schema.optional())

export const url = (...protocols: string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    abort: true,
    error: `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  })

export const oneOf = <const V extends readonly [string, ...string[]]>(...values: V) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` })

export const port = z
  .string()
  .regex(/^\d+$/, 'must be a whole number')
  .transform(Number)
  .refine((value) => value <= 65_535, 'must be a number from 0 to 65535')

const aboveZero = 'must be a number above 0'
export const scale = z
  .string()
  .regex(/^\d+(\.\d+)?$/, aboveZero)
  .transform(Number)
  .refine((value) => value > 0, aboveZero)

/** The base of all page URLs and email links, and the only allowed Origin. */
export const publicUrl = url('http:', 'https:').refine((value) => {
  const { username, password, pathname, search, hash } = new URL(value)
  return `${username}${password}${search}${hash}` === '' && /^\/*$/.test(pathname)
}, 'must have no path, query or credentials')

export const redisUrl = url('redis:', 'rediss:')
  .refine(
    (value) => !new URL(value).searchParams.has('cluster'),
    'names a Redis Cluster, which Duet does not support: use a single Redis, or redis://NAME?sentinels=host:port,host:port',
  )
  .refine((value) => {
    const sentinels = new URL(value).searchParams.get('sentinels')
    return sentinels === null || sentinels.split(',').every((one) => /^([\w.-]+|\[[\da-f:]+\]):\d{1,5}$/i.test(one))
  }, 'must list its sentinels as host:port, separated by commas')
  .refine((value) => {
    const { searchParams, pathname } = new URL(value)
    return !searchParams.has('sentinels') || /^(\/\d*)?$/.test(pathname)
  }, 'must name a Redis database by its number: redis://NAME/1?sentinels=…')

const namesHttp = (value: string) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)

export const storageUrl = url('s3:')
  .refine((value) => new URL(value).hostname !== '', { abort: true, error: 'must name a bucket: s3://bucket' })
  .refine((value) => {
    const endpoint = new URL(value).searchParams.get('endpoint')
    return endpoint === null || namesHttp(endpoint)
  }, 'must have an endpoint that begins with http:// or https://')
  .refine((value) => {
    const { searchParams } = new URL(value)
    return Boolean(searchParams.get('accessKeyId')) === Boolean(searchParams.get('secretAccessKey'))
  }, 'must have both accessKeyId and secretAccessKey, or neither')

/** A bucket or an absolute path, because the server may be started from any directory. */
export const backupPlace = z
  .string()
  .refine((value) => value.startsWith('s3:') || isAbsolute(value), {
    abort: true,
    error: 'must be s3://bucket?endpoint=…, or a folder that begins with /',
  })
  .refine((value) => !value.startsWith('s3:') || storageUrl.safeParse(value).success, {
    error: 'must be a bucket as in STORAGE_URL: s3://bucket?endpoint=…&region=…',
  })

export const mailUrl = url('smtp:', 'smtps:').refine(
  (value) => new URL(value).hostname !== '',
  'must name a mail server: smtp://host',
)

const address = /^[^\s<>@]+@[^\s<>@]+$/
const named = /^[^<>\r\n]*<([^<>\r\n]+)>$/
export const mailFrom = z
  .string()
  .max(320)
  .refine((value) => address.test(named.exec(value)?.[1] ?? value), 'must be an address, or a name and <address>')

const isLoopback = (hostname: string) => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)

/** An OpenID Connect provider. We trust its responses, so plain http is allowed only on this machine. */
export const issuer = url('http:', 'https:')
  .refine((value) => new URL(value).protocol === 'https:' || isLoopback(new URL(value).hostname), {
    abort: true,
    error: 'must begin with https://; http:// is only allowed on this machine',
  })
  .refine((value) => {
    const { username, password, search, hash } = new URL(value)
    return `${username}${password}${search}${hash}` === ''
  }, 'must be the address of a provider, without a name, a query or a #')

export const providerName = z
  .string()
  .trim()
  .max(40, 'must have at most 40 characters')
  .regex(/^\P{C}*$/u, 'must be plain text')

/** Normalised like stored addresses, so that lookups find the account. */
export const emailAddress = z
  .string()
  .overwrite(asEmail)
  .refine((address) => emailFaultOf(address) === undefined, 'must be an email address')

export const pushContact = z
  .string()
  .max(320)
  .regex(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, 'must be a mailto: or https: address')

export const hosts = z
  .string()
  .transform((list) => list.split(',').map((host) => host.trim().toLowerCase()))
  .pipe(z.array(z.string().regex(/^(\*\.)?[a-z\d-]+(\.[a-z\d-]+)*$/, 'must be host names, separated by commas')))

export const domain = z
  .string()
  .regex(
    /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/i,
    'must be a DNS name',
  )

export const secretKey = z.string().refine((key) => Buffer.byteLength(key) >= 32, 'must have at least 32 bytes')

const names = ['loopback', 'linklocal', 'uniquelocal']

function isProxy(text: string): boolean {
  const [host = '', bits, ...more] = text.trim().split('/')
  if (more.length > 0) return false
  if (bits === undefined) return names.includes(host) || isIP(host) !== 0
  const most = { 0: 0, 4: 32, 6: 128 }[isIP(host)] ?? 0
  return /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= most
}

export const proxies = z
  .string()
  .refine(
    (value) => /^\d+$/.test(value) || value.split(',').every(isProxy),
    'must be a number of hops, or addresses and networks with commas',
  )
