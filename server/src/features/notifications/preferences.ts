import type { inAppTopics, LockScreen, MailTime, NotificationTopic } from '@duet/contract/limits.ts'
import { NotificationKind, type NotificationPreferences } from '@duet/contract/notifications.ts'
import { invalid } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import {
  findPreferences,
  findQuietUntil,
  isKnownZone,
  moveZone,
  type PreferencesRow,
  putPreferences,
} from './preferences.queries.ts'

type InApp = Record<(typeof inAppTopics)[number], boolean>

const listedAtFirst: InApp = { match: true, message: true, like: true, nearby: true }
/** Likes and new people nearby can wait. */
const pushedAtFirst: Record<NotificationTopic, boolean> = {
  match: true,
  message: true,
  like: false,
  nearby: false,
  safety: true,
  account: false,
}
const mailedAtFirst: Record<NotificationTopic, MailTime> = {
  match: 'now',
  message: 'now',
  like: 'daily',
  nearby: 'daily',
  safety: 'now',
  account: 'daily',
}
/** Quiet hours start turned off, because the time zone is unknown until a device has reported it. */
const atFirst = { lockScreen: 'nothing', quietHours: null, timeZone: 'UTC' } as const

const topicsOfKinds: Partial<Record<NotificationKind, NotificationTopic>> = {
  match: 'match',
  message: 'message',
  like: 'like',
  nearby: 'nearby',
  date_check_in: 'safety',
  new_sign_in: 'safety',
  address_changed: 'safety',
  recovery_code_used: 'safety',
}
export const topicOf = (kind: NotificationKind): NotificationTopic => topicsOfKinds[kind] ?? 'account'

const timeOfDay = (minute: number) =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')
const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

function view(row: PreferencesRow | undefined): NotificationPreferences {
  if (!row) return { inApp: listedAtFirst, push: pushedAtFirst, email: mailedAtFirst, ...atFirst }
  const { quiet_from: from, quiet_to: to } = row
  return {
    inApp: { ...listedAtFirst, ...(row.in_app as object) },
    push: { ...pushedAtFirst, ...(row.push as object) },
    email: mailTimesOf(row.email),
    lockScreen: row.lock_screen as LockScreen,
    quietHours: from === null || to === null ? null : { from: timeOfDay(from), to: timeOfDay(to) },
    timeZone: row.time_zone,
  }
}

export function isInApp(kept: unknown, kind: string): boolean {
  const topic = topicOf(kind as NotificationKind)
  return (
    ({ ...listedAtFirst, ...(kept as object | null) } as Partial<Record<NotificationTopic, boolean>>)[topic] ?? true
  )
}

export const kindsInApp = (kept: unknown) => NotificationKind.options.filter((kind) => isInApp(kept, kind))

/** When a person gets each topic by email, from their stored choice. Safety is always emailed immediately. */
export const mailTimesOf = (kept: unknown): Record<NotificationTopic, MailTime> => ({
  ...mailedAtFirst,
  ...(kept as object | null),
  safety: 'now',
})

export async function preferencesOf(
  platform: Pick<Platform, 'db'>,
  viewerId: string,
): Promise<NotificationPreferences> {
  return view(await findPreferences(platform.db, viewerId))
}

type Chosen = Omit<NotificationPreferences, 'inApp'> & { inApp?: InApp | undefined }

export async function choosePreferences(
  platform: Pick<Platform, 'db'>,
  viewerId: string,
  { inApp, push, email, lockScreen, quietHours, timeZone }: Chosen,
): Promise<NotificationPreferences> {
  if (!(await isKnownZone(platform.db, timeZone))) throw invalid([{ path: 'timeZone', message: 'must be a time zone' }])
  const row = await putPreferences(platform.db, {
    user_id: viewerId,
    ...(inApp && { in_app: JSON.stringify(inApp) }),
    push: JSON.stringify(push),
    email: JSON.stringify(email),
    lock_screen: lockScreen,
    quiet_from: quietHours && minuteOf(quietHours.from),
    quiet_to: quietHours && minuteOf(quietHours.to),
    time_zone: timeZone,
  })
  return view(row)
}

/** Records the time zone of a person's device, so that quiet hours follow them when they travel. */
export const noteTimeZone = ({ db }: Pick<Platform, 'db'>, userId: string, zone: string) => moveZone(db, userId, zone)

export const quietUntil = ({ db, clock }: Pick<Platform, 'db' | 'clock'>, userId: string) =>
  findQuietUntil(db, userId, clock.now())
