import type pg from 'pg'
import { endStaleConnections, type Listener, listenForEnds, type Sweep } from '../security/session.ts'

interface SessionWatch {
  endSweep(): void
  stopListening(): Promise<void>
}

/** Closes connections of ended sessions immediately, or within half a minute if the notification was missed. */
export async function watchSessions(
  owner: pg.ClientConfig,
  platform: Omit<Listener, 'sweep'> & Sweep,
): Promise<SessionWatch> {
  const { log } = platform
  const sweep = () => endStaleConnections(platform).catch((err) => log.warn({ err }, 'sessions could not be checked'))
  // biome-ignore lint/plugin/void: `sweep` catches its own failures.
  const sweeping = setInterval(() => void sweep(), 30_000)
  const stopListening = await listenForEnds(owner, { ...platform, sweep })
  return { endSweep: () => clearInterval(sweeping), stopListening }
}
