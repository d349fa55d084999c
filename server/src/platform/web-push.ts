import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { type RequestOptions, request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import webPush from 'web-push'

/** A browser that is pushed to (RFC 8030): where, and the keys that only it can read with (RFC 8291), in base64url. */
export interface Subscription {
  endpoint: string
  p256dh: string
  auth: string
}

/** Who sends (VAPID, RFC 8292): keys in base64url, and how a push service reaches the operator. */
export interface Sender {
  publicKey: string
  privateKey: string
  contact: string
}

export interface Push {
  /** JSON, for the browser alone. */
  text: string
  /** Of what waits at the push service for a device, one with the same topic is replaced: up to 32 of base64url. */
  topic: string
  /** Seconds that the push service may keep it for a device that is away. */
  ttl: number
  urgency: 'normal' | 'high'
}

/** Taken by the push service; the subscription is gone for good; or not taken now. */
export type PushResult = 'sent' | 'gone' | 'failed'

/** All are of one length, so that it says nothing: more than any of ours, less than push services take. */
const paddedBytes = 3_000
const timeoutMs = 5_000

/** Whether the operator named a host: by itself, or as `*.` and its domain. Without a list every host is. */
const isNamed = (host: string, hosts: readonly string[]) =>
  hosts.some((one) => (one.startsWith('*.') ? host.endsWith(one.slice(1)) : host === one))

/** A name on the public internet: two labels or more, none of them empty. */
const publicName = /^([a-z\d_-]+\.)+[a-z\d-]+$/

/**
 * Whether a push service may be at this address, before its name is looked up. Addresses of push services are told by
 * browsers, that is, by anyone: names alone, at the usual port, and where the operator has a list, only those in it.
 */
export function mayPushTo(endpoint: string, hosts: readonly string[]): boolean {
  const { protocol, hostname, port, username, password } = new URL(endpoint)
  const isPlain = protocol === 'https:' && username === '' && password === ''
  if (!isPlain || hostname.startsWith('[') || isIP(hostname) !== 0) return false
  if (hosts.length > 0) return isNamed(hostname, hosts)
  return port === '' && publicName.test(hostname) && !hostname.endsWith('.localhost')
}

// Not by the system's own resolver: that has four threads, for all names and files of this process, and strangers choose
// who answers here.
const resolver = new Resolver({ timeout: 2_000, tries: 2 })

/** Whether an address can be that of a push service: of the public internet, which is 2000::/3 in IPv6. */
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

/** Looks a name up, once for a request, and refuses those that lead into a private network. */
const lookUpPublic: LookupFunction = (hostname, options, done) =>
  void addressesOf(hostname).then(
    (found) => (options.all ? done(null, found) : done(null, found[0]?.address ?? '', found[0]?.family)),
    (error: Error) => done(error, []),
  )

/** Posts, and gives the status of the answer. Redirects are not followed, and what the answer holds is not read. */
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

/** A new pair of keys for `Sender`. */
export const newSenderKeys = (): Pick<Sender, 'publicKey' | 'privateKey'> => webPush.generateVAPIDKeys()

/**
 * Encrypts a push for a browser and hands it to the browser's push service. `hosts` are those that the operator allows;
 * without any, all that are public. Never throws.
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
    // A host that the operator names may be their own, on a private network.
    const guarded = hosts.length > 0 ? {} : { lookup: lookUpPublic }
    const status = await post(endpoint, { method, headers, ...guarded }, body ?? Buffer.alloc(0))
    if (status === 404 || status === 410) return 'gone'
    return status >= 200 && status < 300 ? 'sent' : 'failed'
  } catch {
    return 'failed'
  }
}
