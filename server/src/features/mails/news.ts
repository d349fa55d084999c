import type { MailTime, NotificationTopic } from '@duet/contract/limits.ts'
import type { MailGroup } from '@duet/contract/mails.ts'
import { NotificationKind } from '@duet/contract/notifications.ts'
import tzlookup from '@photostructure/tz-lookup'
import { after, days, hours, minutes } from '../../platform/clock.ts'
import { createAwayGuard, eachOne } from '../../platform/jobs/each-one.ts'
import type { JobSpec } from '../../platform/jobs/jobs.ts'
import { isUncertain } from '../../platform/mailer.ts'
import type { JobPlatforms, Platform } from '../../platform/platform.ts'
import { shuffleByChance } from '../../platform/random.ts'
import { claimForEmail, giveBack, noteMailed, type Untold } from '../notifications/notifications.ts'
import { mailTimesOf, topicOf } from '../notifications/preferences.ts'
import { composeDigest, type DigestLevel } from './digest.ts'
import { findUntoldPeople, putNewsMailed, type UntoldRow } from './news.queries.ts'
import { isAboutAll, mailNews } from './sending.ts'

const dayMinutes = days(1) / minutes(1)
/** News that is read or pushed within this time isn't emailed. */
const patienceMs = hours(1)
/** The least time between two emails that don't wait for the evening. */
const pauseMs = hours(4)
/** How long after the evening a failed digest is retried. */
const eveningMs = hours(4)
/** Older news was missed because the mail server failed. It isn't emailed anymore. */
const oldestMs: Record<Exclude<MailTime, 'never'>, number> = { now: days(1), daily: days(2), weekly: days(8) }
const evening = 18 * 60
const people = 500

const levels: Record<string, DigestLevel> = { text: 'text', name: 'name', nothing: 'none' }

interface Span {
  kinds: NotificationKind[]
  since: Date
  until: Date
}
type Due = Map<MailGroup, Span[]>

/** Welcomes are only for newcomers, and safety notices are emailed separately and immediately. */
const kindsOfNews = NotificationKind.options.filter((kind) => kind !== 'welcome' && topicOf(kind) !== 'safety')

const groupsOfTopics: Partial<Record<NotificationTopic, MailGroup>> = { match: 'matches', message: 'messages' }
const groupOf = (kind: NotificationKind): MailGroup => groupsOfTopics[topicOf(kind)] ?? 'digest'

/** Whether a minute of the day is in the person's quiet hours, which may span midnight. */
function isQuietAt({ quiet_from: from, quiet_to: to }: UntoldRow, minute: number): boolean {
  if (from === null || to === null) return false
  return from < to ? minute >= from && minute < to : minute >= from || minute < to
}

const minutesSince = (minute: number, now: number) => (now - minute + dayMinutes) % dayMinutes

/**
 * Whether news that waited for the end of quiet hours is being pushed now. Such news is emailed only if pushing fails.
 */
const isPushedNow = ({ quiet_to: to, is_pushed_to: isPushedTo }: UntoldRow, minute: number): boolean =>
  isPushedTo && to !== null && minutesSince(to, minute) < patienceMs / minutes(1)

const clocks = new Map<string, Intl.DateTimeFormat>()
function clockOf(zone: string): Intl.DateTimeFormat {
  const options = { weekday: 'short', hour: 'numeric', minute: 'numeric', hourCycle: 'h23' } as const
  const clock = clocks.get(zone) ?? new Intl.DateTimeFormat('en', { timeZone: zone, ...options })
  clocks.set(zone, clock)
  return clock
}

/** A person's local time, in the zone they chose or at their location. Throws for an unknown time zone. */
function timeFor({ time_zone: chosen, latitude, longitude }: UntoldRow, now: Date) {
  const there = latitude === null || longitude === null ? 'UTC' : tzlookup(latitude, longitude)
  const parts = clockOf(chosen ?? there).formatToParts(now)
  const partOf = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? ''
  return { minute: Number(partOf('hour')) * 60 + Number(partOf('minute')), weekday: partOf('weekday') }
}

/**
 * When the person's last digest was due and on which weekday, if it may still be sent. Digests are due in the evening,
 * or at the end of quiet hours that include the evening.
 */
function lastEvening(row: UntoldRow, now: Date): { at: Date; weekday: string } | undefined {
  const digestMinute = isQuietAt(row, evening) ? (row.quiet_to ?? evening) : evening
  const since = minutes(minutesSince(digestMinute, timeFor(row, now).minute))
  const at = after(now, -since)
  return since < eveningMs ? { at, weekday: timeFor(row, at).weekday } : undefined
}

function wantedAt(row: UntoldRow): Record<MailTime, NotificationKind[]> {
  const times = mailTimesOf(row.email)
  const wanted: Record<MailTime, NotificationKind[]> = { now: [], daily: [], weekly: [], never: [] }
  for (const kind of kindsOfNews) if (row.latest[kind] !== undefined) wanted[times[topicOf(kind)]].push(kind)
  return wanted
}

function dueFor(row: UntoldRow, now: Date): Due {
  const due: Due = new Map()
  const { now: atOnce, daily, weekly } = wantedAt(row)
  if (atOnce.length + daily.length + weekly.length === 0) return due
  const { minute } = timeFor(row, now)
  if (isQuietAt(row, minute) || isPushedNow(row, minute)) return due
  const add = (group: MailGroup, kinds: NotificationKind[], at: Date, ageMs: number) => {
    const since = after(at, -ageMs)
    const isFresh = kinds.some((kind) => new Date(row.latest[kind] ?? 0) >= since)
    if (isFresh) due.set(group, [...(due.get(group) ?? []), { kinds, since, until: after(at, -patienceMs) }])
  }
  const digest = lastEvening(row, now)
  if (digest) add('digest', daily, digest.at, oldestMs.daily)
  if (digest?.weekday === 'Thu') add('digest', weekly, digest.at, oldestMs.weekly)
  if (row.mailed_at !== null && row.mailed_at > after(now, -pauseMs)) return due
  for (const group of ['matches', 'messages', 'digest'] as const)
    add(
      group,
      atOnce.filter((kind) => groupOf(kind) === group),
      now,
      oldestMs.now,
    )
  return due
}

async function mailOne(platform: Platform, row: UntoldRow, group: MailGroup, spans: readonly Span[]): Promise<void> {
  const { user_id: userId } = row
  const level = levels[row.lock_screen ?? 'nothing'] ?? 'none'
  const items: Untold[] = []
  const idsOf = () => items.map(({ id }) => id)
  const note = async () => {
    await noteMailed(platform, idsOf())
    await putNewsMailed(platform.db, userId, platform.clock.now())
  }
  try {
    // Claimed only once an email is certain, so that news of a group they unsubscribed from isn't claimed.
    const isMailed = await mailNews(platform, userId, group, async ({ name, language, urls }) => {
      for (const span of spans) items.push(...(await claimForEmail(platform, userId, span)))
      return composeDigest(language, {
        name,
        level,
        urls,
        items: items.map(({ kind, params }) => ({
          kind,
          ...(params.name !== undefined && { name: params.name }),
          ...(params.preview !== undefined && { text: params.preview }),
        })),
      })
    })
    if (!isMailed) return await giveBack(platform, idsOf())
  } catch (error) {
    await (isUncertain(error) ? note() : giveBack(platform, idsOf()))
    throw error
  }
  await note()
}

const failed = 'news could not be mailed'

async function mailTo(platform: Platform, row: UntoldRow, server: ReturnType<typeof createAwayGuard>): Promise<void> {
  if (server.isOver() || platform.realtime.isLooking(row.user_id)) return
  const due = dueFor(row, platform.clock.now())
  await eachOne(platform, due, failed, ([group, spans]) => server.run(() => mailOne(platform, row, group, spans)))
}

/**
 * Emails people the news that hasn't reached them otherwise, as each has chosen: after an hour if they want it
 * immediately, or in the evening for daily and weekly news. Emails nothing in quiet hours or while they use Duet. The
 * next run retries failures.
 */
export async function mailUntold(platform: Platform): Promise<void> {
  const now = platform.clock.now()
  const span = { kinds: kindsOfNews, since: after(now, -oldestMs.weekly), until: after(now, -patienceMs) }
  const server = createAwayGuard((error) => isAboutAll(platform, error))
  let last = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const rows = await findUntoldPeople(platform.db, { ...span, after: last, limit: people, now })
    const next = rows.at(-1)?.user_id
    // In random order, so that recipients for whom the mail server hangs don't always delay the same people.
    await eachOne(platform, shuffleByChance(rows), failed, (row) => mailTo(platform, row, server))
    if (next === undefined || rows.length < people || server.isOver()) return
    last = next
  }
}

export const mailJobs = ({ platform }: Pick<JobPlatforms, 'platform'>): JobSpec[] => [
  { name: 'mail-news', cron: '*/10 * * * *', mayHang: true, run: () => mailUntold(platform) },
]
