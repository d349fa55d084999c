import type { SessionView } from '@duet/contract/accounts.ts'
import { after } from '../../platform/clock.ts'
import { notFound } from '../../platform/errors.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { hashToken, lifeOf, newToken, type Viewer } from '../../platform/security/session.ts'
import {
  deleteOldest,
  deleteSession,
  deleteSessionsOf,
  insertSession,
  knowsDevice,
  listSessionsOf,
} from './sessions.queries.ts'

// More devices than people have; the one unused longest is signed out.
const mostSessions = 10

/** Starts a session and gives its token; `isNewDevice` when earlier sessions were all on other devices. */
export async function startSession(
  tx: Pick<Tx, 'db' | 'clock'>,
  account: { id: string; isSuperAdmin: boolean },
  device: string,
): Promise<{ token: string; isNewDevice: boolean }> {
  const now = tx.clock.now()
  const life = lifeOf(account.isSuperAdmin)
  const token = newToken()
  const isNewDevice = !(await knowsDevice(tx.db, account.id, device))
  await insertSession(tx.db, {
    tokenHash: hashToken(token),
    userId: account.id,
    device,
    now,
    idleExpiresAt: after(now, life.idle),
    expiresAt: after(now, life.whole),
  })
  await deleteOldest(tx.db, account.id, mostSessions)
  return { token, isNewDevice }
}

/** Where the viewer is signed in, most recent first. */
export async function listSessions(platform: Pick<Platform, 'db' | 'clock'>, viewer: Viewer): Promise<SessionView[]> {
  const rows = await listSessionsOf(platform.db, viewer.id, platform.clock.now())
  return rows.map((row) => ({
    id: row.id,
    device: row.device,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    current: row.id === viewer.sessionId,
  }))
}

/** Ends one of the viewer's sessions; its sockets close. Throws not found for other people's. */
export async function endSession(
  platform: Pick<Platform, 'db' | 'sessions' | 'realtime'>,
  viewer: Viewer,
  sessionId: string,
): Promise<void> {
  if (!(await deleteSession(platform.db, viewer.id, sessionId))) throw notFound()
  platform.sessions.forget(sessionId)
  platform.realtime.endSession(sessionId)
}

/** Ends all sessions of the viewer, this one too; their sockets close. */
export async function endSessions(
  platform: Pick<Platform, 'db' | 'sessions' | 'realtime'>,
  viewer: Viewer,
): Promise<void> {
  for (const sessionId of await deleteSessionsOf(platform.db, viewer.id)) {
    platform.sessions.forget(sessionId)
    platform.realtime.endSession(sessionId)
  }
}

/** A short name of the program and system a request came from, such as "Firefox on Linux". */
export function deviceOf(userAgent: string | undefined): string {
  const agent = userAgent ?? ''
  const browser = /Edg\//.test(agent)
    ? 'Edge'
    : /OPR\//.test(agent)
      ? 'Opera'
      : /Firefox\//.test(agent)
        ? 'Firefox'
        : /Chrom(e|ium)\//.test(agent)
          ? 'Chrome'
          : /Safari\//.test(agent)
            ? 'Safari'
            : undefined
  const system = /Android/.test(agent)
    ? 'Android'
    : /iPhone|iPad/.test(agent)
      ? 'iOS'
      : /Windows/.test(agent)
        ? 'Windows'
        : /Mac OS X/.test(agent)
          ? 'macOS'
          : /Linux/.test(agent)
            ? 'Linux'
            : undefined
  if (!browser && !system) return 'An unknown device'
  return `${browser ?? 'An app'} on ${system ?? 'an unknown system'}`
}
