import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import type { Logger } from '../logger.ts'
import { alone, type Nodes } from './nodes.ts'
import type { NodeTimes } from './redis-nodes.ts'

/** This process among those that share the Redis of `url`. Without one it is alone, and nothing of Redis is loaded. */
export async function openNodes(
  url: string | undefined,
  log: Logger,
  times?: NodeTimes,
): Promise<{ nodes: Nodes; counters?: Redis }> {
  if (!url) return { nodes: alone }
  const [{ openRedis }, { joinNodes }] = await Promise.all([import('./redis.ts'), import('./redis-nodes.ts')])
  const id = randomUUID()
  const redis = openRedis(url, id, log)
  const nodes = joinNodes(redis, id, times)
  await redis.settled
  return { nodes, counters: redis.counters }
}
