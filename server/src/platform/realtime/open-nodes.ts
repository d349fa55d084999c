import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import type { Logger } from '../logger.ts'
import { alone, type Nodes } from './nodes.ts'
import type { NodeTimes } from './redis-nodes.ts'

/** Joins the nodes that share the Redis at `url`. Without a URL, this is the only node, and no Redis code is loaded. */
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
