import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** Whether `X-Forwarded-For` of the machine at `address` counts; `hop` is 0 for the one that is connected to us. */
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

/** The trusted proxies, from TRUST_PROXY: no one when unset, the last `n` hops, or the networks that are named. */
export function trustOf(trustProxy: string | undefined): TrustedProxies {
  if (trustProxy === undefined) return () => false
  if (/^\d+$/.test(trustProxy)) return (_address, hop) => hop < Number(trustProxy)
  const networks = networksOf(trustProxy.split(',').map((name) => name.trim()))
  return (address) => isIP(address) !== 0 && networks.check(address, familyOf(address))
}

/** The address a request comes from, as far as it can be believed: what Fastify calls its `ip`. */
export function addressOf({ socket, headers }: IncomingMessage, trusts: TrustedProxies): string {
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',')
  const chain = [
    socket.remoteAddress ?? '',
    ...forwarded
      .map((address) => address.trim())
      .filter(Boolean)
      .reverse(),
  ]
  const last = chain.findIndex((address, hop) => !trusts(address, hop))
  return chain[last] ?? chain.at(-1) ?? ''
}
