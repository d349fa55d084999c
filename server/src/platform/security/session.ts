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

/** Who asks: the person of a live session. */
export interface Viewer {
  id: string
  sessionId: string
  isSuperAdmin: boolean
  standing: Standing
  /** When they last proved who they are, with a code or a password. */
  authenticatedAt: Date
  /** Of administrators: this session has passed the second factor, or none is asked for. */
  secondFactor: boolean
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

/** How long a session lives: without use, and in all (milliseconds). Administrators' live shorter, whatever they ask for. */
export function lifeOf(isSuperAdmin: boolean, stays = false) {
  if (isSuperAdmin) return { idle: minutes(30), whole: hours(12) }
  return stays
    ? { idle: days(90), whole: days(promised.stayDays) }
    : { idle: days(7), whole: days(promised.sessionDays) }
}

// An ended session is noticed elsewhere within this time, and here at once.
const rememberedMs = 1_000

// After an outage all clients come back at once: what many ask at the same time is one query. `offset 0` keeps it a look-up for
// each token: a plan for any number of them reads all sessions, as long as these are few.
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

// Does not wait for locks: while others write to a person's row, a visit may go unnoted. That someone was here is noted once
// an hour in their profile, whose rows are large.
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

/** Until when a session that passed the second factor at `passedAt` need not pass it again. */
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

/** How often it is noted that a session is used: those of administrators end after 30 minutes without. */
const notedEvery = (isSuperAdmin: boolean) => (isSuperAdmin ? minutes(1) : minutes(5))

/** When a session ends without use. Of those that live for days to the hour, so that it rarely changes: it is indexed. */
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

/** `needsFactor`: administrators must have a second factor; otherwise it is asked of those alone who have one. */
export function createSessions(pool: pg.Pool, clock: Clock, needsFactor: boolean): Sessions {
  // By session as well: one that ends is found without looking at all of them.
  const tokens = new Map<string, string>()
  const known = new LRUCache<string, Viewer>({
    ...upTo(50_000),
    ttl: rememberedMs,
    noDisposeOnSet: true,
    dispose: ({ sessionId }) => tokens.delete(sessionId),
  })
  // Many connections of one token may come at once: one question answers them all.
  const asked = new Map<string, Promise<Viewer | undefined>>()
  // When sessions were forgotten: one may end while the answer that it lives is on its way.
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
  /** Looks for sessions that ended unheard, while nothing could be heard. */
  sweep(): Promise<void>
  realtime: { endSession(sessionId: string): void }
  log: Pick<Logger, 'warn'>
}

const againMs = 1_000

/**
 * Hears from the database of every session that ends, in whatever process, and closes its connections. Reconnects by
 * itself. Returns how to stop.
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
  // One after the other: a try that fails breaks its connection too, and may not bring two more about.
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

/** A connection that hears of ends. Throws when there is none to be had. */
async function openListener(owner: pg.ClientConfig, { sessions, realtime, log }: Listener): Promise<pg.Client> {
  const client = new pg.Client({ ...owner, keepAlive: true, connectionTimeoutMillis: 5_000 })
  client.on('notification', ({ payload = '' }) => {
    sessions.forget(payload)
    realtime.endSession(payload)
  })
  client.on('error', (err) => log.warn({ err }, 'listening for ended sessions was cut off'))
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

/** Closes the connections of sessions that have run out or ended unheard, and of people who may not connect any more. */
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
