import type { AppLanguage } from '@duet/contract/accounts.ts'
import type { MailGroup, MailState } from '@duet/contract/mails.ts'
import { after, days } from '../../platform/clock.ts'
import { languageOf } from '../../platform/http/language.ts'
import { isAway, isUncertain, type Mail, type Mailer, meaningOf } from '../../platform/mailer.ts'
import type { Platform } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import {
  deleteRefusals,
  deleteStops,
  deleteUnreachable,
  findNewsReader,
  findRefusal,
  findStops,
  putRefusal,
  putStop,
} from './mails.queries.ts'
import type { ComposedMail } from './mails.ts'
import { unsubscribeUrls } from './unsubscribing.ts'

type Sending = Pick<Platform, 'db' | 'clock' | 'mailer'>

/** If this many mailboxes are reported as nonexistent between two accepted emails, the mail server is refusing us. */
const mostAlike = 10
/** Mailboxes reported as nonexistent since the mail server last accepted an email. Unset until it accepts the first. */
const calledGone = new WeakMap<Mailer, Set<string>>()

const isDoubted = (mailer: Mailer): boolean => (calledGone.get(mailer)?.size ?? mostAlike) >= mostAlike

/**
 * Records that a mailbox was reported as nonexistent, unless the mail server may be refusing all our emails. A mailbox
 * counts as gone after reports on two days, so the server has to accept some other email in between.
 */
async function noteRefusal({ db, clock, mailer }: Sending, userId: string, email: string): Promise<void> {
  const alike = calledGone.get(mailer)
  if (!alike || alike.has(email) || isDoubted(mailer)) return
  alike.add(email)
  await putRefusal(db, userId, email, clock.now())
}

export const isAboutAll = ({ mailer }: Pick<Sending, 'mailer'>, error: unknown): boolean =>
  isAway(error) || (meaningOf(error) === 'gone' && isDoubted(mailer))

const unansweredMs = days(2)
/** When an email was first handed over without a reply, by address and subject. */
const unanswered = new WeakMap<Mailer, Map<string, Date>>()

function isUnansweredAgain({ mailer, clock }: Pick<Sending, 'mailer' | 'clock'>, { to, subject }: Mail): boolean {
  const [known, key, now] = [unanswered.get(mailer) ?? new Map<string, Date>(), `${to} ${subject}`, clock.now()]
  for (const [other, at] of known) if (at < after(now, -unansweredMs)) known.delete(other)
  unanswered.set(mailer, known)
  if (known.delete(key)) return true
  known.set(key, now)
  return false
}

/**
 * Emails an address. Throws as the mailer does, except that an email without a reply counts as accepted the second
 * time: each attempt may have arrived, and a relay that always replies too late would get the email for days.
 */
export async function mailAddress(platform: Pick<Sending, 'mailer' | 'clock'>, mail: Mail): Promise<void> {
  const { mailer } = platform
  try {
    await mailer.send(mail)
  } catch (error) {
    if (isUncertain(error) && isUnansweredAgain(platform, mail)) return
    throw error
  }
  unanswered.get(mailer)?.delete(`${mail.to} ${mail.subject}`)
  calledGone.set(mailer, new Set())
}

async function handOver(platform: Sending, userId: string, mail: Mail): Promise<void> {
  try {
    await mailAddress(platform, mail)
  } catch (error) {
    if (meaningOf(error) === 'gone') await noteRefusal(platform, userId, mail.to)
    throw error
  }
  // The email was accepted, even if this can't be recorded.
  await deleteRefusals(platform.db, [mail.to]).catch(() => undefined)
}

/**
 * Emails a person about their account, even if they unsubscribed. Throws as the mailer does, but not for a mailbox
 * known to be gone, because a retry would fail too.
 */
export async function mailPerson(platform: Sending, userId: string, mail: Mail): Promise<void> {
  try {
    await handOver(platform, userId, mail)
  } catch (error) {
    if (meaningOf(error) !== 'gone' || !(await isMailboxGone(platform, userId, mail.to))) throw error
  }
}

export interface ReaderOfNews {
  name: string
  language: AppLanguage
  urls: { app: string; stop: string; settings: string }
}

/**
 * Emails news of a group, with a one-click unsubscribe. Sends nothing to people who unsubscribed, are suspended or are
 * about to be erased, or if `compose` returns nothing. Returns whether the news was emailed. Throws if sending fails,
 * or if the mail server has recently reported the mailbox as nonexistent.
 */
export async function mailNews(
  platform: Sending & Pick<Platform, 'secrets' | 'config'>,
  userId: string,
  group: MailGroup,
  compose: (reader: ReaderOfNews) => Promise<ComposedMail | undefined> | ComposedMail | undefined,
): Promise<boolean> {
  const { db, clock, config } = platform
  const reader = await findNewsReader(db, userId, group)
  if (!reader) return false
  const againAt = (await findRefusal(db, userId))?.again_at
  if (againAt && againAt > clock.now()) throw new Error('a mailbox that is said to be gone gets no news for now')
  const { oneClick, page } = unsubscribeUrls(platform, userId, group)
  const base = config.publicUrl ?? `http://localhost:${config.port}`
  const urls = { app: `${base}/home`, stop: page, settings: `${base}/settings/notifications` }
  const mail = await compose({ name: reader.name, language: languageOf(reader.language), urls })
  if (!mail) return false
  await handOver(platform, userId, { kind: 'news', to: reader.email, ...mail, unsubscribeUrl: oneClick })
  return true
}

/** Whether the mail server reported the address's mailbox as nonexistent on two days, within the last 30 days. */
export async function isMailboxGone(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  userId: string,
  email: string,
): Promise<boolean> {
  const refusal = await findRefusal(db, userId)
  return refusal?.again_at != null && refusal.is_gone && refusal.email === email && refusal.again_at > clock.now()
}

export async function isStopped(db: Platform['db'], userId: string, group: MailGroup): Promise<boolean> {
  const stopped = await findStops(db, userId)
  return stopped.includes(group) || stopped.includes('all')
}

export async function getMailState({ db }: Pick<Platform, 'db'>, viewerId: string): Promise<MailState> {
  const refusal = await findRefusal(db, viewerId)
  const since = refusal?.is_gone ? refusal.since.toISOString() : null
  return { unreachableSince: since, stopped: await findStops(db, viewerId) }
}

const single = ['digest', 'matches', 'messages'] as const

/**
 * Resubscribes the viewer to a group. If they had unsubscribed from all groups, they stay unsubscribed from the others.
 */
export async function resumeMails(
  platform: Pick<Platform, 'db' | 'clock' | 'log'>,
  viewerId: string,
  group: MailGroup,
): Promise<void> {
  await transaction(platform, async (tx) => {
    const stopped = await findStops(tx.db, viewerId)
    const others = group !== 'all' && stopped.includes('all') ? single.filter((one) => one !== group) : []
    for (const other of others) await putStop(tx.db, viewerId, other, tx.clock.now())
    await deleteStops(tx.db, viewerId, group === 'all' ? [...single, 'all'] : [group, 'all'])
  })
}

/** Resumes emails to the viewer, whatever the mail server reported about their mailbox. */
export const retryMails = ({ db }: Pick<Platform, 'db'>, viewerId: string): Promise<void> =>
  deleteUnreachable(db, viewerId)

export async function markReachable({ db, mailer }: Pick<Sending, 'db' | 'mailer'>, email: string): Promise<void> {
  calledGone.set(mailer, new Set())
  await deleteRefusals(db, [email])
}
