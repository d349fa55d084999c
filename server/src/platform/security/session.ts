import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { promised } from '@duet/contract/promised.ts'
import type { Standing } from '@duet/contract/sanctions.ts'
import { LRUCache } from 'lru-cache'
import pg from 'pg'
import { after, type Clock, days, hours, minutes, seconds } from '../clock.ts'
import { createLanes } from '../database/lanes.ts'
import { untilAnswers } from '../database/until-answers.ts'
import type { Logger } from '../logger.ts'
import { upTo } from '../up-to.ts'

export interface Viewer {
  id: string
  sessionId: string
  isSuperAdmin: boolean
  standing: Standing
  authenticatedAt: Date
  /** For administrators: whether this session passed the second factor or doesn't need one. */
  secondFactor: boolean
}

export interface Sessions {
  find(token: string): Promise<Viewer | undefined>
  /** Drops the session from the cache, so that its end takes effect immediately. */
  forget(sessionId: string): void
}

export function newToken(): string {
  return `dt1_${randomBytes(32).toString('base64url')}`
}

/** Tokens are stored only as their SHA-256. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/**
 * The idle and absolute lifetime of a session, in milliseconds. Administrators' sessions are shorter, even if they
 * asked to stay signed in.
 */
export function lifeOf(isSuperAdmin: boolean, stays = false) {
  if (isSuperAdmin) return { idle: minutes(30), whole: hours(12) }
  return stays
    ? { idle: days(90), whole: days(promised.stayDays) }
    : { idle: days(7), whole: days(promised.sessionDays) }
}

// How long other nodes may still accept a session that has ended. This node rejects it immediately.
const rememberedMs = 1_000

// After an outage all clients reconnect together, so lookups are batched. `offset 0` forces an index lookup per token:
// with few sessions, PostgreSQL would otherwise scan them all.
const findSessions = {
  name: 'find-sessions',
  text: `
    select (asked.place - 1)::integer as place, s.id, s.user_id, s.last_seen_at, s.authenticated_at,
      a.is_super_admin, a.standing, s.second_factor_at,
      a.is_super_admin and exists (
        select from second_factors f where f.user_id = a.id and f.confirmed_at is not null) as enrolled
    from unnest((select $1::bytea[])) with ordinality as asked (token_hash, place)
    cross join lateral (select * from sessions where token_hash = asked.token_hash offset 0) s
    join accounts a on a.id = s.user_id
    where s.expires_at > $2 and s.idle_expires_at > $2
      and (not a.is_super_admin or (s.created_at > $2::timestamptz - interval '12 hours'
        and s.last_seen_at > $2::timestamptz - interval '30 minutes'))`,
}

// Skips locked rows instead of waiting, so a visit may not be recorded. A profile's last activity changes at most once
// an hour, because profile rows are large.
const touchSessions = {
  name: 'touch-sessions',
  text: `
    with due as (
      select s.id, s.user_id, seen.idle_expires_at
      from unnest((select $1::uuid[]), (select $3::timestamptz[])) as seen (id, idle_expires_at) join sessions s on s.id = seen.id
      for no key update of s skip locked),
    touched as (
      update sessions s set last_seen_at = $2, idle_expires_at = least(s.expires_at,
        due.idle_expires_at + case when s.stays then interval '${days(90) - days(7)} milliseconds' else interval '0' end)
      from due where s.id = due.id returning s.user_id),
    awake as (
      select user_id from profiles where user_id in (select user_id from touched)
        and date_trunc('hour', last_active_at) <> date_trunc('hour', $2::timestamptz) for no key update skip locked)
    update profiles p set last_active_at = $2 from awake where p.user_id = awake.user_id`,
}

interface SessionRow {
  place: number
  id: string
  user_id: string
  last_seen_at: Date
  authenticated_at: Date
  is_super_admin: boolean
  standing: Standing
  second_factor_at: Date | null
  enrolled: boolean
}

export function secondFactorUntil(passedAt: Date): Date {
  return after(passedAt, hours(12))
}

function createFinding(pool: pg.Pool, clock: Clock) {
  return createLanes<Buffer, SessionRow | undefined>({
    async flush(hashes) {
      const { rows } = await pool.query<SessionRow>({ ...findSessions, values: [hashes, clock.now()] })
      const found = new Map(rows.map((row) => [row.place, row]))
      return hashes.map((_, place) => found.get(place))
    },
    lanes: 1,
    mostWaiting: Number.POSITIVE_INFINITY,
    mostWaitMs: seconds(5),
  })
}

/** How often a session's use is recorded. More often for administrators, whose sessions end after 30 idle minutes. */
const notedEvery = (isSuperAdmin: boolean) => (isSuperAdmin ? minutes(1) : minutes(5))

/**
 * When an idle session ends. Rounded to the hour for sessions that last days: the column is indexed, so it should
 * change rarely.
 */
function idleFrom(now: Date, isSuperAdmin: boolean): Date {
  const until = after(now, lifeOf(isSuperAdmin).idle)
  return isSuperAdmin ? until : new Date(Math.floor(until.getTime() / hours(1)) * hours(1))
}

function createTouching(pool: pg.Pool, clock: Clock) {
  return createLanes<Viewer, void>({
    async flush(viewers) {
      const now = clock.now()
      const idle = viewers.map(({ isSuperAdmin }) => idleFrom(now, isSuperAdmin))
      await pool.query({ ...touchSessions, values: [viewers.map(({ sessionId }) => sessionId), now, idle] })
      return []
    },
    lanes: 1,
    mostWaiting: Number.POSITIVE_INFINITY,
    mostWaitMs: seconds(5),
  })
}

/**
 * With `needsFactor`, administrators must have a second factor; otherwise only administrators who set one up are asked
 * for it.
 */
export function createSessions(pool: pg.Pool, clock: Clock, needsFactor: boolean): Sessions {
  // Token hashes by session id, to find the cached entry of an ended session without a scan.
  const tokens = new Map<string, string>()
  const known = new LRUCache<string, Viewer>({
    ...upTo(50_000),
    ttl: rememberedMs,
    noDisposeOnSet: true,
    dispose: ({ sessionId }) => tokens.delete(sessionId),
  })
  // Simultaneous requests with one token share a query.
  const asked = new Map<string, Promise<Viewer | undefined>>()
  // When each session was dropped from the cache: a session may end while a query that found it valid is still running.
  const forgotten = new LRUCache<string, number>({ ...upTo(10_000), ttl: minutes(1) })

  const finding = createFinding(pool, clock)
  const touching = createTouching(pool, clock)

  const hasPassed = ({ enrolled, second_factor_at: at }: SessionRow) =>
    enrolled ? at !== null && secondFactorUntil(at) > clock.now() : !needsFactor

  async function read(token: string): Promise<Viewer | undefined> {
    const since = performance.now()
    const row = await finding.push(token, hashToken(token))
    if (!row) return undefined
    const viewer: Viewer = {
      id: row.user_id,
      sessionId: row.id,
      isSuperAdmin: row.is_super_admin,
      standing: row.standing,
      authenticatedAt: row.authenticated_at,
      secondFactor: hasPassed(row),
    }
    const unnoted = clock.now().getTime() - row.last_seen_at.getTime()
    if (unnoted >= notedEvery(viewer.isSuperAdmin)) await touching.push(viewer.id, viewer)
    if ((forgotten.get(viewer.sessionId) ?? 0) >= since) return read(token)
    known.set(token, viewer)
    tokens.set(viewer.sessionId, token)
    return viewer
  }

  return {
    async find(token) {
      if (!token.startsWith('dt1_') || token.length > 64) return undefined
      const remembered = known.get(token)
      if (remembered) return remembered
      const reading = asked.get(token) ?? read(token).finally(() => asked.delete(token))
      asked.set(token, reading)
      return reading
    },
    forget(sessionId) {
      forgotten.set(sessionId, performance.now())
      known.delete(tokens.get(sessionId) ?? '')
    },
  }
}

export interface Listener {
  sessions: Sessions
  /** Closes connections whose sessions ended while nobody was listening. */
  sweep(): Promise<void>
  realtime: { endSession(sessionId: string): void }
  log: Pick<Logger, 'warn'>
}

const againMs = 1_000

/**
 * Listens for sessions that end in any process and closes their connections. Reconnects automatically. Returns a
 * function that stops listening.
 */
export async function listenForEnds(owner: pg.ClientConfig, listener: Listener): Promise<() => Promise<void>> {
  const { log, sweep } = listener
  let stopped = false
  let current: pg.Client | undefined
  async function listen(): Promise<void> {
    const client = await openListener(owner, listener)
    if (stopped) return void client.end().catch(() => undefined)
    current = client
    // biome-ignore lint/plugin/void: failed attempts are retried, and the sweep catches its own failures.
    client.once('end', () => void again())
  }
  // One attempt at a time: a failed attempt also ends its connection, which must not trigger further attempts.
  async function again(): Promise<void> {
    while (!stopped) {
      await sleep(againMs, undefined, { ref: false })
      if (stopped) return
      const heard = await listen().then(
        () => true,
        () => false,
      )
      if (heard) return sweep()
    }
  }
  await untilAnswers(log, listen)
  return async () => {
    stopped = true
    await current?.end().catch(() => undefined)
  }
}

async function openListener(owner: pg.ClientConfig, { sessions, realtime, log }: Listener): Promise<pg.Client> {
  const client = new pg.Client({ ...owner, keepAlive: true, connectionTimeoutMillis: 5_000 })
  client.on('notification', ({ payload = '' }) => {
    sessions.forget(payload)
    realtime.endSession(payload)
  })
  client.on('error', (err) => log.warn({ err }, 'lost the connection that listens for ended sessions'))
  try {
    await client.connect()
    await client.query('listen session_ended')
    return client
  } catch (error) {
    void client.end().catch(() => undefined)
    throw error
  }
}

export interface Sweep {
  pool: pg.Pool
  clock: Clock
  realtime: { liveSessions(): string[]; endSession(sessionId: string): void }
}

export async function endStaleConnections({ pool, clock, realtime }: Sweep): Promise<void> {
  const live = realtime.liveSessions()
  if (live.length === 0) return
  const { rows } = await pool.query<{ id: string }>(
    `select live.id from unnest($1::uuid[]) as live (id)
     left join sessions s on s.id = live.id and s.expires_at > $2 and s.idle_expires_at > $2
     left join accounts a on a.id = s.user_id and a.standing in ('good', 'restricted') where a.id is null`,
    [live, clock.now()],
  )
  for (const { id } of rows) realtime.endSession(id)
}
