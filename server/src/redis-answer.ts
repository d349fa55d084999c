export async function redisAnswer(address: string): Promise<string> {
  const { connectRedis } = await import('./platform/realtime/redis-address.ts')
  const once = { lazyConnect: true, connectTimeout: 5_000, commandTimeout: 5_000, retryStrategy: () => null }
  const client = connectRedis(address, once)
  let reason: Error | undefined
  client.on('error', (error: Error) => {
    reason ??= error
  })
  try {
    await client.connect().catch((error) => {
      throw reason ?? error
    })
    await client.publish('duet:doctor', '')
    return `${new URL(address).host} answers`
  } finally {
    client.disconnect()
  }
}
