import { NotificationKind } from '@duet/contract/notifications.ts'
import { eraseDue } from '../../features/data-rights/erasure.ts'
import { type NotificationInput, notifyMany } from '../../features/notifications/notifications.ts'
import { days, seconds } from '../../platform/clock.ts'
import { drawBelow, type Random } from '../../platform/random.ts'
import { person } from '../people.ts'
import { acts, choose, type Playing } from './acts.ts'
import type { Life, Told, Topic } from './expected.ts'

const sydney = { latitude: -33.87, longitude: 151.21 }
const atFirst = {
  times: { match: 'now', message: 'now', like: 'daily', nearby: 'daily', safety: 'now', account: 'daily' },
  ...{ level: 'nothing' as const, quiet: null },
} as const
const texts = ['says hello', 'says hello', 'saw a heron', 'has free bitcoin']
const topics: Partial<Record<NotificationKind, Topic>> = {
  ...{ match: 'match', message: 'message', like: 'like', nearby: 'nearby', date_check_in: 'safety' },
  ...{ new_sign_in: 'safety', address_changed: 'safety', recovery_code_used: 'safety' },
}
/** Frequent kinds of notification appear several times. */
const kinds: NotificationKind[] = [
  ...NotificationKind.options,
  ...[1, 2, 3, 4, 5].flatMap(() => ['message', 'message', 'like', 'match', 'nearby'] as const),
]

const forever = new Date('2040-01-01')

/** Encodes a number as four letters, for unique names and words. */
const letters = (number: number) =>
  [17_576, 676, 26, 1].map((weight) => String.fromCharCode(97 + (Math.floor(number / weight) % 26))).join('')

function inputOf(kind: NotificationKind, { id, name }: Life, preview: string): NotificationInput {
  const about: Partial<Record<NotificationKind, Omit<NotificationInput, 'kind'>>> = {
    message: { params: { name, preview }, link: `/chat/${id}`, collapseKey: `chat:${id}` },
    like: { params: { name }, link: '/likes', collapseKey: `pair:${id}` },
    match: { params: { name }, link: `/chat/${id}`, collapseKey: `pair:${id}` },
    nearby: { params: { name }, link: `/profile/${id}` },
    date_check_in: { link: '/dates', collapseKey: 'date:1' },
    export_ready: { link: '/settings/data', collapseKey: 'export' },
  }
  return { kind, ...about[kind] }
}

async function signUp(playing: Playing, place: number): Promise<Life> {
  const { app, people, owner } = playing
  const isSomewhere = place % 20 === 0
  const name = `Zq${letters(place)}`
  const who = await person(app, { name, ...(isSomewhere && { at: sydney }) })
  const { rows } = await app.platform.pool.query('select id from sessions where user_id = $1', [who.id])
  const one: Life = {
    ...{ id: who.id, email: who.email, name, token: who.token, session: rows[0]?.id ?? '' },
    ...{ ...atFirst, zone: isSomewhere ? 'Australia/Sydney' : 'UTC', hides: undefined, hasBrowser: false },
    ...{
      isSuspended: false,
      eraseAt: undefined,
      isErased: false,
      isLooking: false,
      stopped: new Set(),
      blocks: new Set(),
    },
    ...{ box: 'open', refused: undefined, told: [], mailedAt: 0, link: undefined },
  }
  people.set(one, who)
  await owner
    .updateTable('accounts')
    .set({ language: ['en', 'es', 'ar'][place % 3] ?? 'en' })
    .where('id', '=', one.id)
    .execute()
  // People without preferences get pushes, and a push would delete this subscription, because no push service is
  // running here.
  if (place % 13 > 0 || place % 10 === 0) return one
  one.hasBrowser = true
  await app.platform.pool.query(
    `insert into push_subscriptions (user_id, session_id, endpoint, p256dh, auth, public_key, created_at)
    values ($1::uuid, $2, 'https://localhost/' || $1::text, '', '', 'key', now())`,
    [one.id, one.session],
  )
  return one
}

function tell({ app, draw }: Playing, [one, from]: [Life, Life], count: number) {
  const kind = draw(kinds)
  const text = `Wq${letters(count)} ${draw(texts)}`
  const input = inputOf(kind, from, text)
  if (kind === 'welcome') return { ...input, userId: one.id }
  const now = app.clock.now().getTime()
  const news: Told = {
    ...{ topic: topics[kind] ?? 'account', at: now, firstAt: now, isRead: false, isMailed: false, isPushed: false },
    ...(input.params?.name !== undefined && { from }),
    ...(kind === 'message' && { text }),
    ...(input.collapseKey !== undefined && { key: input.collapseKey }),
  }
  const place = one.told.findIndex(({ key, isRead }) => key !== undefined && key === news.key && !isRead)
  const before = one.told[place]
  if (!before) one.told.push(news)
  else {
    const { isMailed, isPushed } = before
    const firstAt = before.topic === news.topic ? before.firstAt : now
    one.told[place] = { ...news, isMailed, isPushed, firstAt }
  }
  return { ...input, userId: one.id }
}

/** A random count with this mean. */
const often = (random: Random, middle: number) => Math.floor(middle * 2 * random() + random())

/** Keeps everyone signed in until the end; otherwise each use would shorten a session to a week. */
async function keepSessions(owner: Playing['owner']): Promise<void> {
  await owner.updateTable('sessions').set({ idle_expires_at: forever, expires_at: forever }).execute()
}

export async function createLives(
  { app, owner }: Pick<Playing, 'app' | 'owner'>,
  { people, random, perStep }: { people: number; random: Random; perStep: number },
) {
  const draw: Playing['draw'] = <T>(list: readonly T[]) => list[drawBelow(random, list.length)] as T
  const playing: Playing = { app, owner, random, draw, people: new Map(), sockets: new Map() }
  await app.platform.pool.query(`insert into push_keys (public_key, private_key, created_at) values ('key', '', now())`)
  const all: Life[] = []
  while (all.length < people) {
    const places = Array.from({ length: Math.min(10, people - all.length) }, (_, place) => all.length + place)
    all.push(...(await Promise.all(places.map((place) => signUp(playing, place)))))
  }
  // Some people never set preferences.
  for (const [place, one] of all.entries()) if (place % 10 > 0) await choose(playing, one)
  // Delete the notifications about newcomers in the same place.
  await owner.deleteFrom('notifications').execute()
  await keepSessions(owner)
  let [events, lastErased] = [0, app.clock.now().getTime()]
  async function live(ms: number): Promise<void> {
    const pause = seconds(1 + drawBelow(random, ms / seconds(1) - 1))
    app.clock.advance(pause)
    const living = all.filter(({ isErased }) => !isErased)
    const pair = (): [Life, Life] => {
      const place = drawBelow(random, living.length)
      return [living[place], living[(place + 1 + drawBelow(random, 4)) % living.length]] as [Life, Life]
    }
    const inputs = Array.from({ length: often(random, perStep) }, () => {
      events += 1
      return tell(playing, pair(), events)
    })
    await notifyMany(app.platform, inputs)
    for (let left = often(random, perStep / 2); left > 0; left -= 1) await draw(acts)(playing, ...pair())
    app.clock.advance(ms - pause)
    const now = app.clock.now()
    if (now.getTime() - lastErased < days(1)) return
    lastErased = now.getTime()
    await keepSessions(owner)
    await eraseDue({ ...app.platform, db: owner })
    for (const one of living) one.isErased = one.eraseAt !== undefined && one.eraseAt <= now.getTime()
  }
  return { all, live, events: () => events }
}
