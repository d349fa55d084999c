import type { Kysely } from 'kysely'
import { expect } from 'vitest'
import { notePushed } from '../../features/notifications/notifications.ts'
import { days } from '../../platform/clock.ts'
import type { DB } from '../../platform/database/schema.ts'
import type { Random } from '../../platform/random.ts'
import type { TestApp } from '../app.ts'
import type { Person } from '../people.ts'
import { type ClientSocket, connect } from '../sockets.ts'
import type { Life } from './expected.ts'

/**
 * Some zones change to or from daylight saving time in the weeks after 3 March 2027; three have offsets with fractions
 * of an hour.
 */
const zones = [
  ...['UTC', 'Europe/Madrid', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Africa/Cairo'],
  ...['America/Santiago', 'Asia/Jerusalem', 'Pacific/Chatham', 'America/St_Johns', 'Pacific/Kiritimati'],
]
const spans = [
  ...[null, ['22:00', '08:00'], ['22:00', '08:00'], ['00:30', '06:15']],
  ...[
    ['13:00', '14:30'],
    ['16:00', '19:30'],
    ['17:00', '02:30'],
  ],
] as const

export type Draw = <T>(list: readonly T[]) => T
export interface Playing {
  app: TestApp
  owner: Kysely<DB>
  random: Random
  draw: Draw
  people: Map<Life, Person>
  sockets: Map<Life, ClientSocket>
}

const wantedBy = ({ times, level, quiet, zone }: Life) => ({
  push: { match: false, message: false, like: false, nearby: false, safety: false, account: false },
  ...{ email: times, lockScreen: level, quietHours: quiet, timeZone: zone },
})

export async function choose({ draw, people }: Playing, one: Life): Promise<void> {
  const span = draw(spans)
  const times = Object.fromEntries(
    Object.keys(one.times).map((topic) => [topic, draw(['now', 'now', 'daily', 'weekly', 'never'] as const)]),
  ) as Life['times']
  const choice = { times, level: draw(['nothing', 'name', 'text'] as const), zone: draw(zones) }
  const chosen = { ...choice, quiet: span && { from: span[0], to: span[1] } }
  const body = wantedBy({ ...one, ...chosen })
  const answer = await people.get(one)?.call('PUT /api/notifications/preferences', { body })
  if (answer?.status === 200) Object.assign(one, chosen)
}

type Act = (playing: Playing, one: Life, other: Life) => Promise<unknown>
const isOk = (answer: { status: number } | undefined) => answer?.status === 200

const readAll: Act = async ({ people }, one) => {
  if (!isOk(await people.get(one)?.call('PATCH /api/notifications', { body: { read: true } }))) return
  for (const news of one.told) news.isRead = true
}
const clear: Act = async ({ people }, one) => {
  if (isOk(await people.get(one)?.call('DELETE /api/notifications'))) one.told = []
}
const show: Act = async ({ app }, one) => {
  const unread = 'select id from notifications where user_id = $1 and not read and pushed_at is null'
  const { rows } = await app.platform.pool.query(unread, [one.id])
  for (const { id } of rows) await notePushed(app.platform, id)
  for (const news of one.told) if (!news.isRead) news.isPushed = true
}
const hide: Act = async ({ people, random }, one) => {
  const hides = random() < 0.7 ? 'heron' : undefined
  const body = { hiddenWords: hides ? [hides] : [] }
  if (isOk(await people.get(one)?.call('PATCH /api/privacy', { body }))) one.hides = hides
}
const block: Act = async ({ people }, one, other) => {
  const params = { userId: other.id }
  const endpoint = one.blocks.has(other) ? 'DELETE /api/blocks/:userId' : 'PUT /api/blocks/:userId'
  if (!isOk(await people.get(one)?.call(endpoint, { params }))) return
  if (!one.blocks.delete(other)) one.blocks.add(other)
}
const suspend: Act = async ({ app, random }, one) => {
  if (one.isLooking || (!one.isSuspended && random() < 0.7)) return
  one.isSuspended = !one.isSuspended
  const standing = one.isSuspended ? 'suspended' : 'good'
  await app.platform.pool.query('update accounts set standing = $2 where id = $1', [one.id, standing])
  app.platform.sessions.forget(one.session)
}
const leave: Act = async ({ app, owner, random }, one) => {
  if (one.isLooking || (one.eraseAt === undefined && random() < 0.7)) return
  one.eraseAt = one.eraseAt === undefined ? app.clock.now().getTime() + days(14) : undefined
  const eraseAt = one.eraseAt === undefined ? null : new Date(one.eraseAt)
  await owner.updateTable('accounts').set({ erase_at: eraseAt }).where('id', '=', one.id).execute()
}
const unsubscribe: Act = async ({ app }, one) => {
  if (!one.link) return
  const { pathname, search } = new URL(one.link.url)
  const answer = await fetch(app.url + pathname + search, {
    ...{ method: 'POST', body: 'List-Unsubscribe=One-Click' },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect([answer.status, await answer.json()]).toEqual([200, { group: one.link.group }])
  one.stopped.add(one.link.group)
}
const resume: Act = async ({ people }, one) => {
  for (const group of [...one.stopped])
    if (isOk(await people.get(one)?.call('POST /api/mail/resume', { body: { group } }))) one.stopped.delete(group)
}
/** At most two mailboxes are missing at a time: with more, Duet would assume that the mail server rejects us. */
const breakBox: Act = async ({ draw, people }, one) => {
  const mayGo = [...people.keys()].indexOf(one) < 2
  one.box = one.box === 'open' ? draw(mayGo ? (['gone'] as const) : (['full', 'listed'] as const)) : 'open'
}
const retry: Act = async ({ people }, one) => {
  if (isOk(await people.get(one)?.call('POST /api/mail/retry'))) one.refused = undefined
}
const look: Act = async ({ app, sockets }, one) => {
  if (one.isSuspended) return
  const socket = sockets.get(one)
  if (socket) socket.disconnect()
  else if (sockets.size < 20) sockets.set(one, (await connect(app, one)).socket)
  else return
  if (socket) sockets.delete(one)
  one.isLooking = !socket
  await expect.poll(() => app.platform.realtime.isLooking(one.id)).toBe(one.isLooking)
}
export /** Ends rare states, so that they end more often than they start. */
const end: Act = async (playing, one, other) => {
  if (one.isSuspended) await suspend(playing, one, other)
  if (one.eraseAt !== undefined && playing.random() < 0.5) await leave(playing, one, other)
  if (one.box !== 'open') await breakBox(playing, one, other)
  await retry(playing, one, other)
  await resume(playing, one, other)
}

export const acts: readonly Act[] = [
  ...[
    readAll,
    readAll,
    readAll,
    readAll,
    readAll,
    clear,
    show,
    show,
    show,
    choose,
    choose,
    hide,
    hide,
    block,
    block,
    block,
  ],
  ...[suspend, leave, unsubscribe, unsubscribe, breakBox, breakBox, breakBox, end, end, end, end, look],
]
