import type { AppLanguage } from '@duet/contract/accounts.ts'
import type { MailGroup, MailState } from '@duet/contract/mails.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { languageOf } from '../../platform/http/language.ts'
import { isMailboxGone, type Mail } from '../../platform/mailer.ts'
import type { Platform } from '../../platform/platform.ts'
import {
  deleteStops,
  deleteUnreachable,
  deleteUnreachableAddress,
  findNewsReader,
  findStops,
  findUnreachable,
  putStop,
  putUnreachable,
} from './mails.queries.ts'
import type { ComposedMail } from './mails.ts'
import { unsubscribeUrls } from './unsubscribing.ts'

type Sending = Pick<Platform, 'db' | 'clock' | 'mailer'>

/**
 * Mails a person about their account, whatever they have stopped. Throws as the mailer does; a mailbox that refuses mails
 * for good is remembered, and gets no news from then on.
 */
export async function mailPerson({ db, clock, mailer }: Sending, userId: string, mail: Mail): Promise<void> {
  try {
    await mailer.send(mail)
  } catch (error) {
    if (isMailboxGone(error)) await putUnreachable(db, userId, mail.to, clock.now())
    throw error
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
 * or about to be erased, or have a mailbox that refuses mails; nor when `compose` gives nothing. Whether it was mailed.
 * Throws when the mail server could not be reached, or refused for now.
 */
export async function mailNews(
  platform: Sending & Pick<Platform, 'secrets' | 'config'>,
  userId: string,
  group: MailGroup,
  compose: (reader: ReaderOfNews) => ComposedMail | undefined,
): Promise<boolean> {
  const { db, config } = platform
  const reader = await findNewsReader(db, userId, group)
  if (!reader || (await findUnreachable(db, userId))) return false
  const { oneClick, page } = unsubscribeUrls(platform, userId, group)
  const base = config.publicUrl ?? `http://localhost:${config.port}`
  const urls = { app: `${base}/home`, stop: page, settings: `${base}/settings/notifications` }
  const mail = compose({ name: reader.name, language: languageOf(reader.language), urls })
  if (!mail) return false
  try {
    await mailPerson(platform, userId, { to: reader.email, ...mail, unsubscribeUrl: oneClick })
    return true
  } catch (error) {
    if (isMailboxGone(error)) return false
    throw error
  }
}

/** Whether a person has stopped a group of mails, by itself or with all others. */
export async function isStopped(db: Platform['db'], userId: string, group: MailGroup): Promise<boolean> {
  const stopped = await findStops(db, userId)
  return stopped.includes(group) || stopped.includes('all')
}

/** Whether mails reach the viewer, and which they have stopped. */
export async function getMailState({ db }: Pick<Platform, 'db'>, viewerId: string): Promise<MailState> {
  const since = await findUnreachable(db, viewerId)
  return { unreachableSince: since?.toISOString() ?? null, stopped: await findStops(db, viewerId) }
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
export const markReachable = ({ db }: Pick<Platform, 'db'>, email: string): Promise<void> =>
  deleteUnreachableAddress(db, email)
