import type { IncomingMessage, Server } from 'node:http'
import { BlockList, isIP, SocketAddress } from 'node:net'

/** Whether to trust the `X-Forwarded-For` that the machine at `address` sent; `hop` is 0 for our direct peer. */
export type TrustedProxies = (address: string, hop: number) => boolean

const named: Record<string, readonly string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}
const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

function networksOf(names: readonly string[]): BlockList {
  const networks = new BlockList()
  for (const network of names.flatMap((name) => named[name] ?? name)) {
    const [address = '', bits] = network.split('/')
    if (bits === undefined) networks.addAddress(address, familyOf(address))
    else networks.addSubnet(address, Number(bits), familyOf(address))
  }
  return networks
}

/** Parses TRUST_PROXY: if unset, no proxy is trusted; a number trusts that many hops; a list trusts those networks. */
export function trustOf(trustProxy: string | undefined): TrustedProxies {
  if (trustProxy === undefined) return () => false
  if (/^\d+$/.test(trustProxy)) return (_address, hop) => hop < Number(trustProxy)
  const networks = networksOf(trustProxy.split(',').map((name) => name.trim()))
  return (address) => isIP(address) !== 0 && networks.check(address, familyOf(address))
}

/**
 * Normalises an address: drops the port, brackets and zone that some proxies add, and writes IPv4-mapped IPv6 as IPv4.
 * Returns undefined for anything else.
 */
export function canonicalAddress(text: string): string | undefined {
  const bare = /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  const address = bare.replace(/%.*/, '')
  const family = isIP(address)
  if (family !== 6) return family === 4 ? address : undefined
  const written = new SocketAddress({ address, family: 'ipv6' }).address
  return /^::ffff:([\d.]+)$/.exec(written)?.[1] ?? written
}

/**
 * The forwarded addresses, nearest first. Stops at an entry that isn't an address: anything before that could be
 * forged.
 */
function forwardedBy({ headers }: IncomingMessage): string[] {
  const entries = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',')
  const given = entries.map((entry) => entry.trim()).filter(Boolean)
  const addresses: string[] = []
  for (const entry of given.reverse()) {
    const address = canonicalAddress(entry)
    if (address === undefined) break
    addresses.push(address)
  }
  return addresses
}

/** Rewrites `x-forwarded-for` in every request, so that Fastify sees the same addresses as `addressOf`. */
export function rewriteForwardedFor(server: Server): void {
  server.prependListener('request', (request: IncomingMessage) => {
    request.headers['x-forwarded-for'] = forwardedBy(request).reverse().join(', ')
  })
}

export function addressOf(request: IncomingMessage, trusts: TrustedProxies): string {
  const chain = [request.socket.remoteAddress ?? '', ...forwardedBy(request)]
  const last = chain.findIndex((address, hop) => !trusts(address, hop))
  return chain[last] ?? chain.at(-1) ?? ''
}
