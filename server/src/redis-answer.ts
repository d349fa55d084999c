import type { Cluster, Redis } from 'ioredis'

/** What Redis, or a cluster of it, says. Throws what is wrong with it. */
export async function redisAnswer(address: string): Promise<string> {
  const { connectRedis, isCluster, openCluster } = await import('./platform/realtime/redis-address.ts')
  const asked = { lazyConnect: true, connectTimeout: 5_000, commandTimeout: 5_000 }
  const { host } = new URL(address)
  if (!isCluster(address)) {
    const client = connectRedis(address, { ...asked, retryStrategy: () => null })
    return answers(client, async () => {
      await client.publish('duet:doctor', '')
      return `${host} answers`
    })
  }
  const client = openCluster(address, {
    ...{ lazyConnect: true, enableReadyCheck: false, redisOptions: asked },
    clusterRetryStrategy: () => null,
  })
  return answers(client, async () => {
    if (client.nodes().length === 0) throw new Error(`${host} answers, but no cluster is made of it yet`)
    const info = String(await client.cluster('INFO'))
    if (!info.includes('cluster_slots_ok:16384')) throw new Error(`${host} answers, but parts of the cluster are down`)
    await client.spublish('duet:doctor', '')
    return `the cluster of ${host} answers, ${client.nodes('master').length} primaries`
  })
}

/** What `look` says once `client` is connected. Throws why it cannot connect. */
async function answers(client: Redis | Cluster, look: () => Promise<string>): Promise<string> {
  let reason: Error | undefined
  for (const event of ['error', 'node error'])
    client.on(event, (error: Error) => {
      reason ??= error
    })
  try {
    await client.connect().catch((error) => {
      throw reason ?? error
    })
    return await look()
  } finally {
    client.disconnect()
  }
}
