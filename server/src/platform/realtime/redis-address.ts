import { Redis, type RedisOptions } from 'ioredis'

/** The sentinels of an address, `host:port` each; undefined where it is that of Redis itself. */
const sentinelsOf = (address: URL): string[] | undefined => address.searchParams.get('sentinels')?.split(',')

/**
 * Connects to the Redis of an address: `redis://HOST:PORT`, or `redis://NAME?sentinels=HOST:PORT,HOST:PORT`, the primary
 * that these sentinels call NAME at the moment. User and password are those of Redis; `sentinelPassword` is the sentinels'.
 */
export function connectRedis(address: string, options: RedisOptions): Redis {
  const url = new URL(address)
  const sentinels = sentinelsOf(url)
  if (!sentinels) return new Redis(address, options)
  const sentinelPassword = url.searchParams.get('sentinelPassword')
  const isSecure = url.protocol === 'rediss:'
  return new Redis({
    ...options,
    name: url.hostname,
    sentinels: sentinels.map((one) => ({ host: one.split(':')[0] as string, port: Number(one.split(':')[1]) })),
    ...(options.retryStrategy && { sentinelRetryStrategy: options.retryStrategy }),
    ...(url.username && { username: decodeURIComponent(url.username) }),
    ...(url.password && { password: decodeURIComponent(url.password) }),
    ...(url.pathname.length > 1 && { db: Number(url.pathname.slice(1)) }),
    ...(sentinelPassword && { sentinelPassword }),
    ...(isSecure && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
  })
}
