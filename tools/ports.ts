import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Ports this process was given: who has one may not have bound it yet. */
const given = new Set<number>()

/**
 * A port that is free right now, below those that systems give to outgoing connections and to who asks for any: between
 * two starts of a server nothing else takes it by chance. No process gets the same one twice.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_768)
  if (given.has(port)) return freePort()
  given.add(port)
  const probe = createServer().listen(port)
  try {
    await once(probe, 'listening')
  } catch {
    return freePort()
  }
  probe.close()
  await once(probe, 'close')
  return port
}
