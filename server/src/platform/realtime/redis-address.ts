import { Redis, type RedisOptions } from 'ioredis'

interface Place {
  host: string
  port: number
}

const bare = (host: string) => host.replace(/^\[(.*)\]$/, '$1')

function placesOf(list: string): Place[] {
  const places = list.split(',').filter((one) => one !== '')
  return places.map((one) => {
    const colon = one.lastIndexOf(':')
    return { host: bare(one.slice(0, colon)), port: Number(one.slice(colon + 1)) }
  })
}

function accessOf(url: URL): RedisOptions {
  return {
    ...(url.username && { username: decodeURIComponent(url.username) }),
    ...(url.password && { password: decodeURIComponent(url.password) }),
    ...(url.protocol === 'rediss:' && { tls: {} }),
  }
}

/**
 * Connects to `redis://HOST:PORT`, or to `redis://NAME?sentinels=HOST:PORT,HOST:PORT`, the current primary that these
 * sentinels call NAME. The user and password are for Redis, `sentinelPassword` for the sentinels.
 */
export function connectRedis(address: string, options: RedisOptions): Redis {
  const url = new URL(address)
  const sentinels = url.searchParams.get('sentinels')
  if (!sentinels) return new Redis(address, options)
  const sentinelPassword = url.searchParams.get('sentinelPassword')
  const access = accessOf(url)
  return new Redis({
    ...options,
    ...access,
    name: url.hostname,
    sentinels: placesOf(sentinels),
    ...(options.retryStrategy && { sentinelRetryStrategy: options.retryStrategy }),
    ...(url.pathname.length > 1 && { db: Number(url.pathname.slice(1)) }),
    ...(sentinelPassword && { sentinelPassword }),
    ...(access.tls && { sentinelTLS: {}, enableTLSForSentinelMode: true }),
  })
}
