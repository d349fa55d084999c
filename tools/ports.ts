import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Ports that this process has already returned, whose users may not have bound them yet. */
const given = new Set<number>()

/**
 * Finds a free port below the ephemeral range, so that no other program takes it by chance while a server restarts.
 * Never returns the same port twice in a process.
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
