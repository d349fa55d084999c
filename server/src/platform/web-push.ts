import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { type RequestOptions, request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import webPush from 'web-push'

/** A browser's push endpoint (RFC 8030) and encryption keys (RFC 8291), in base64url. */
export interface Subscription {
  endpoint: string
  p256dh: string
  auth: string
}

/** VAPID keys in base64url (RFC 8292), and the address at which a push service can contact the operator. */
export interface Sender {
  publicKey: string
  privateKey: string
  contact: string
}

export interface Push {
  text: string
  /** A new push replaces an undelivered one with the same topic. At most 32 base64url characters. */
  topic: string
  ttl: number
  urgency: 'normal' | 'high'
}

/** `gone`: the subscription no longer exists. `failed`: a later push may work. */
export type PushResult = 'sent' | 'gone' | 'failed'

/**
 * Every push is padded to this length, so that its size reveals nothing. It is longer than any of our payloads and
 * below the limit of push services.
 */
const paddedBytes = 3_000
const timeoutMs = 5_000

const isNamed = (host: string, hosts: readonly string[]) =>
  hosts.some((one) => (one.startsWith('*.') ? host.endsWith(one.slice(1)) : host === one))

const publicName = /^([a-z\d_-]+\.)+[a-z\d-]+$/

/**
 * Whether we may push to this endpoint; checked before its host name is resolved. Endpoints come from browsers, so
 * anyone can choose them: only host names at the default port are allowed, and only hosts on the operator's list if
 * there is one.
 */
export function mayPushTo(endpoint: string, hosts: readonly string[]): boolean {
  const { protocol, hostname, port, username, password } = new URL(endpoint)
  const isPlain = protocol === 'https:' && username === '' && password === ''
  if (!isPlain || hostname.startsWith('[') || isIP(hostname) !== 0) return false
  if (hosts.length > 0) return isNamed(hostname, hosts)
  return port === '' && publicName.test(hostname) && !hostname.endsWith('.localhost')
}

// The system's resolver shares four threads with all file access, and attackers choose which DNS servers are queried
// here, so use a separate one.
const resolver = new Resolver({ timeout: 2_000, tries: 2 })

/** Only addresses on the public internet, which is 2000::/3 in IPv6. */
export function isPublic(address: string): boolean {
  const read = ipaddr.process(address)
  const isGlobal = read instanceof ipaddr.IPv4 || ((read.parts[0] ?? 0) & 0xe000) === 0x2000
  return isGlobal && read.range() === 'unicast'
}

async function addressesOf(hostname: string): Promise<LookupAddress[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const found = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ]
  if (found.length === 0 || !found.every(({ address }) => isPublic(address)))
    throw new Error('a push service without a public address')
  return found
}

/**
 * Rejects private addresses at the moment of connecting, so that the name can't resolve to a different address
 * afterwards.
 */
const lookUpPublic: LookupFunction = (hostname, options, done) =>
  void addressesOf(hostname).then(
    (found) => (options.all ? done(null, found) : done(null, found[0]?.address ?? '', found[0]?.family)),
    (error: Error) => done(error, []),
  )

function post(url: string, options: RequestOptions, body: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const sending = request(url, { ...options, signal: AbortSignal.timeout(timeoutMs) }, (answer) => {
      resolve(answer.statusCode ?? 0)
      answer.destroy()
    })
    sending.on('error', reject)
    sending.end(body)
  })
}

export const newSenderKeys = (): Pick<Sender, 'publicKey' | 'privateKey'> => webPush.generateVAPIDKeys()

/**
 * Encrypts and sends a push. `hosts` is the operator's allowlist; if empty, all public hosts are allowed. Never throws.
 */
export async function sendPush(
  { endpoint, p256dh, auth }: Subscription,
  { contact: subject, publicKey, privateKey }: Sender,
  { text, topic, ttl, urgency }: Push,
  hosts: readonly string[],
): Promise<PushResult> {
  try {
    if (!mayPushTo(endpoint, hosts)) return 'gone'
    const padding = ' '.repeat(Math.max(0, paddedBytes - Buffer.byteLength(text)))
    const { method, headers, body } = webPush.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      text + padding,
      { vapidDetails: { subject, publicKey, privateKey }, contentEncoding: 'aes128gcm', TTL: ttl, topic, urgency },
    )
    // A listed host may be the operator's own, on a private network.
    const guarded = hosts.length > 0 ? {} : { lookup: lookUpPublic }
    const status = await post(endpoint, { method, headers, ...guarded }, body ?? Buffer.alloc(0))
    if (status === 404 || status === 410) return 'gone'
    return status >= 200 && status < 300 ? 'sent' : 'failed'
  } catch {
    return 'failed'
  }
}
