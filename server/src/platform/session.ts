import { createHash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import { after, type Clock, days, hours, minutes } from './clock.ts'

/** Who asks: the person of a live session. */
export interface Viewer {
  id: string
  sessionId: string
  isSuperAdmin: boolean
}

export interface Sessions {
  /** The viewer of a token; undefined when the session ended, expired or never was. */
  find(token: string): Promise<Viewer | undefined>
  /** Forgets what is remembered of a session, so that its end counts at once. */
  forget(sessionId: string): void
}

/** A new token: 256 random bits that mean nothing. */
export function newToken(): string {
  return `dt1_${randomBytes(32).toString('base64url')}`
}

/** What is kept of a token: its SHA-256. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** How long a session lives: without use, and in all (milliseconds). Administrators' live shorter. */
export function lifeOf(isSuperAdmin: boolean) {
  return isSuperAdmin ? { idle: minutes(30), whole: hours(12) } : { idle: days(7), whole: days(30) }
}

// An ended session is noticed elsewhere within this time, and here at once.
const rememberedMs = 1_000

const findSession = `
  select s.id, s.user_id, s.last_seen_at, a.is_super_admin
  from sessions s join accounts a on a.id = s.user_id
  where s.token_hash = $1 and s.expires_at > $2 and s.idle_expires_at > $2
    and (not a.is_super_admin or s.created_at > $2::timestamptz - interval '12 hours')`

const touchSession = `
  with touched as (
    update sessions set last_seen_at = $2, idle_expires_at = least(expires_at, $3) where id = $1 returning user_id)
  update profiles set last_active_at = $2 where user_id = (select user_id from touched)`

export function createSessions(pool: pg.Pool, clock: Clock): Sessions {
  const known = new LRUCache<string, { viewer: Viewer; hash: Buffer }>({ max: 50_000, ttl: rememberedMs })

  async function touch(viewer: Viewer, lastSeenAt: Date): Promise<void> {
    const now = clock.now()
    if (now.getTime() - lastSeenAt.getTime() < minutes(1)) return
    await pool.query(touchSession, [viewer.sessionId, now, after(now, lifeOf(viewer.isSuperAdmin).idle)])
  }

  return {
    async find(token) {
      if (!token.startsWith('dt1_') || token.length > 64) return undefined
      const hash = hashToken(token)
      const key = hash.toString('base64')
      const remembered = known.get(key)
      if (remembered) return remembered.viewer
      const { rows } = await pool.query({ name: 'find-session', text: findSession, values: [hash, clock.now()] })
      const [row] = rows
      if (!row) return undefined
      const viewer = { id: row.user_id, sessionId: row.id, isSuperAdmin: row.is_super_admin }
      await touch(viewer, row.last_seen_at)
      known.set(key, { viewer, hash })
      return viewer
    },
    forget(sessionId) {
      for (const [key, { viewer }] of known.entries()) if (viewer.sessionId === sessionId) known.delete(key)
    },
  }
}
