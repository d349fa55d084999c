import type { SessionView } from '@duet/contract/accounts.ts'
import { after } from '../../platform/clock.ts'
import { notFound, unauthenticated } from '../../platform/errors.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { hashToken, lifeOf, newToken, type Viewer } from '../../platform/security/session.ts'
import {
  deleteOldest,
  deleteSession,
  deleteSessionsOf,
  forgetDevices,
  hasSession,
  insertSession,
  listSessionsOf,
  noteDevice,
} from './sessions.queries.ts'

// More devices than people use. Beyond these numbers, the least recently used device is signed out or forgotten.
const mostSessions = 10
const mostDevices = 50

/** Returns whether the device is new to the account. */
export const addKnownDevice = ({ db, clock }: Pick<Tx, 'db' | 'clock'>, userId: string, deviceId: string) =>
  noteDevice(db, { userId, hash: hashToken(deviceId), now: clock.now(), keep: mostDevices })

/**
 * Starts a session and returns its token. `isNewDevice` is whether this is the device's first sign-in to the account.
 */
export async function startSession(
  tx: Pick<Tx, 'db' | 'clock'>,
  account: { id: string; isSuperAdmin: boolean },
  { device, deviceId, stays }: { device: string; deviceId: string; stays: boolean },
): Promise<{ token: string; isNewDevice: boolean }> {
  const now = tx.clock.now()
  const life = lifeOf(account.isSuperAdmin, stays)
  const token = newToken()
  const isNewDevice = await addKnownDevice(tx, account.id, deviceId)
  await insertSession(tx.db, {
    tokenHash: hashToken(token),
    userId: account.id,
    device,
    stays: stays && !account.isSuperAdmin,
    now,
    idleExpiresAt: after(now, life.idle),
    expiresAt: after(now, life.whole),
  })
  await deleteOldest(tx.db, account.id, mostSessions)
  return { token, isNewDevice }
}

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

/**
 * Ends one of the viewer's sessions and closes its sockets. If it belongs to another device, all devices are forgotten,
 * so that whoever had that device can't sign in again unnoticed. Throws not found for other people's sessions.
 */
export async function endSession(
  platform: Pick<Platform, 'db' | 'sessions' | 'realtime'>,
  viewer: Viewer,
  sessionId: string,
): Promise<void> {
  if (!(await deleteSession(platform.db, viewer.id, sessionId))) throw notFound()
  if (sessionId !== viewer.sessionId) await forgetDevices(platform.db, viewer.id)
  platform.sessions.forget(sessionId)
  platform.realtime.endSession(sessionId)
}

export async function endSessions(
  platform: Pick<Platform, 'db' | 'sessions' | 'realtime'>,
  viewer: Viewer,
): Promise<void> {
  await forgetDevices(platform.db, viewer.id)
  for (const sessionId of await deleteSessionsOf(platform.db, viewer.id)) {
    platform.sessions.forget(sessionId)
    platform.realtime.endSession(sessionId)
  }
}

/** Ends a person's sessions except `except` when `tx` commits, closes their sockets and forgets all devices. */
export async function endSessionsIn(tx: Tx, userId: string, except?: string): Promise<void> {
  await forgetDevices(tx.db, userId)
  const ended = await deleteSessionsOf(tx.db, userId, except)
  tx.afterCommit(({ sessions, realtime }) => {
    for (const sessionId of ended) {
      sessions.forget(sessionId)
      realtime.endSession(sessionId)
    }
  })
}

/**
 * Throws `unauthenticated` if the viewer's session has ended. Call it with the account locked: if the owner signs
 * everyone out, a request that a thief already sent must not give them another way to sign in.
 */
export async function requireSession(tx: Pick<Tx, 'db'>, viewer: Viewer): Promise<void> {
  if (!(await hasSession(tx.db, viewer.sessionId))) throw unauthenticated()
}

// The order matters: most user agents also name the browsers they derive from.
const browsers: readonly [RegExp, string][] = [
  [/\b(Edg|EdgA|EdgiOS|Edge)\//, 'Edge'],
  [/\b(OPR|OPT|OPiOS|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\bDuckDuckGo\//, 'DuckDuckGo'],
  [/\b(Firefox|FxiOS|Focus)\//, 'Firefox'],
  [/\b(Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: readonly [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPod)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]
const nameIn = (names: typeof browsers, agent: string) => names.find(([pattern]) => pattern.test(agent))?.[1]

/**
 * A short name of a request's browser and system, such as "Firefox · Linux", or "Web" if both are unknown. Consists
 * only of fixed names that are the same in every language, never of text from the client.
 */
export function deviceOf(userAgent = ''): string {
  const names = [nameIn(browsers, userAgent), nameIn(systems, userAgent)].filter(Boolean)
  return names.join(' · ') || 'Web'
}
