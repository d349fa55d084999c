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

/** So many mailboxes may be called gone between two emails that are taken: where there are more, the mail server means us. */
const mostAlike = 10
/** The mailboxes that a mail server called gone since it last took an email; none are known before the first it takes. */
const calledGone = new WeakMap<Mailer, Set<string>>()

const isDoubted = (mailer: Mailer): boolean => (calledGone.get(mailer)?.size ?? mostAlike) >= mostAlike

/**
 * Notes that a mailbox was called gone, unless the mail server may mean us: then it says so on the next day as well, and
 * two days are what makes a mailbox gone. So between two notes of a mailbox the server has to take some email.
 */
async function noteRefusal({ db, clock, mailer }: Sending, userId: string, email: string): Promise<void> {
  const alike = calledGone.get(mailer)
  if (!alike || alike.has(email) || isDoubted(mailer)) return
  alike.add(email)
  await putRefusal(db, userId, email, clock.now())
}

/** Whether what an email failed of stands in the way of all others: the mail server is away, or refuses every recipient. */
export const isAboutAll = ({ mailer }: Pick<Sending, 'mailer'>, error: unknown): boolean =>
  isAway(error) || (meaningOf(error) === 'gone' && isDoubted(mailer))

const unansweredMs = days(2)
/** When emails were first handed over whole without an answer, by address and subject. */
const unanswered = new WeakMap<Mailer, Map<string, Date>>()

/** Whether an email that was not answered is so for the second time. */
function isUnansweredAgain({ mailer, clock }: Pick<Sending, 'mailer' | 'clock'>, { to, subject }: Mail): boolean {
  const [known, key, now] = [unanswered.get(mailer) ?? new Map<string, Date>(), `${to} ${subject}`, clock.now()]
  for (const [other, at] of known) if (at < after(now, -unansweredMs)) known.delete(other)
  unanswered.set(mailer, known)
  if (known.delete(key)) return true
  known.set(key, now)
  return false
}

/**
 * Mails an address. Throws as the mailer does, but an email that is not answered twice counts as taken: each try may have
 * arrived, and a relay that answers too late would be sent it for days.
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

/** Mails a person. Throws as the mailer does; a mailbox that is gone is remembered. */
async function handOver(platform: Sending, userId: string, mail: Mail): Promise<void> {
  try {
    await mailAddress(platform, mail)
  } catch (error) {
    if (meaningOf(error) === 'gone') await noteRefusal(platform, userId, mail.to)
    throw error
  }
  // The email is on its way, whether or not that can be noted.
  await deleteRefusals(platform.db, [mail.to]).catch(() => undefined)
}

/**
 * Mails a person about their account, whatever they have stopped. Throws as the mailer does, but not once the mailbox is
 * known to be gone: no later try would arrive either.
 */
export async function mailPerson(platform: Sending, userId: string, mail: Mail): Promise<void> {
  try {
    await handOver(platform, userId, mail)
  } catch (error) {
    if (meaningOf(error) !== 'gone' || !(await isMailboxGone(platform, userId, mail.to))) throw error
  }
}

/** What a mail with news is made for. */
export interface ReaderOfNews {
  name: string
  language: AppLanguage
  urls: { app: string; stop: string; settings: string }
}

/**
 * Mails news of a group that can be stopped, with one click. Nothing is mailed to people who have stopped it, are suspended
 * or about to be erased; nor when `compose` gives nothing. Whether it was mailed. Throws when it could not be mailed, or
 * when the mail server has lately called the mailbox gone.
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

/** Whether the mail server called the mailbox of a person's address gone, on two days, and within the last 30 of them. */
export async function isMailboxGone(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  userId: string,
  email: string,
): Promise<boolean> {
  const refusal = await findRefusal(db, userId)
  return refusal?.again_at != null && refusal.is_gone && refusal.email === email && refusal.again_at > clock.now()
}

/** Whether a person has stopped a group of mails, by itself or with all others. */
export async function isStopped(db: Platform['db'], userId: string, group: MailGroup): Promise<boolean> {
  const stopped = await findStops(db, userId)
  return stopped.includes(group) || stopped.includes('all')
}

/** Whether mails reach the viewer, and which they have stopped. */
export async function getMailState({ db }: Pick<Platform, 'db'>, viewerId: string): Promise<MailState> {
  const refusal = await findRefusal(db, viewerId)
  const since = refusal?.is_gone ? refusal.since.toISOString() : null
  return { unreachableSince: since, stopped: await findStops(db, viewerId) }
}

const single = ['digest', 'matches', 'messages'] as const

/** Mails the viewer a group again that they have stopped; where they had stopped all, the other groups stay stopped. */
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

/** Mails the viewer again, whatever their mailbox said. */
export const retryMails = ({ db }: Pick<Platform, 'db'>, viewerId: string): Promise<void> =>
  deleteUnreachable(db, viewerId)

/** A mail to an address was accepted, so the person who has it can be reached again. */
export async function markReachable({ db, mailer }: Pick<Sending, 'db' | 'mailer'>, email: string): Promise<void> {
  calledGone.set(mailer, new Set())
  await deleteRefusals(db, [email])
}
