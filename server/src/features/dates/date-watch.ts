import { days } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import { eachOne } from '../../platform/jobs/each-one.ts'
import { addJobIn } from '../../platform/jobs/jobs.ts'
import { isRefused, isUncertain } from '../../platform/mailer.ts'
import type { Platform } from '../../platform/platform.ts'
import { type Limit, refundedOnFailure } from '../../platform/security/rate-limit.ts'
import { transaction } from '../../platform/transaction.ts'
import { mailAddress } from '../mails/sending.ts'
import { notify } from '../notifications/notifications.ts'
import { graceMinutes, isAnswered, keyOfDate } from './check-in.ts'
import { contactMail } from './contact-mail.ts'
import { macOf } from './date-links.ts'
import {
  deleteOver,
  findMissed,
  findUnasked,
  type MissedRow,
  settleTry,
  takeMissed,
  takeUnasked,
  updateSharedDate,
} from './dates.queries.ts'
import { findDeclining } from './declined.ts'

/** The most that one run handles; the next run, a minute later, continues. */
const atOnce = 500
/** An attempt that has no outcome after `tryMinutes` was interrupted. */
const waits = { graceMinutes, tryMinutes: 5 }
/**
 * After this many consecutive failures the mail server is assumed to be down, and the remaining emails wait for the
 * next run.
 */
const mostInARow = 3

const day = days(1) / 1000
const fromOne = { name: 'date_contacts_of_one', points: 3, seconds: day }
/**
 * Limits how many people may email the same contact. One person's emails don't count against another's, so suppressing
 * an alarm would take twenty accounts, and a mailbox gets at most sixty emails a day.
 */
const senders = { name: 'date_contact_senders', points: 20, seconds: day }

/** Asks a person to check in, by a notification and an email, unless they already have. */
function ask(platform: Platform, id: string): Promise<void> {
  return transaction(platform, async (tx) => {
    const now = tx.clock.now()
    const row = await takeUnasked(tx.db, id, now)
    if (!row) return
    await updateSharedDate(tx.db, row.id, { asked_at: now })
    if (isAnswered(row)) return
    await notify(tx, row.user_id, { kind: 'date_check_in', link: '/dates', collapseKey: keyOfDate(row.id) })
    await addJobIn(tx.db, 'mail-check-in', { id: row.id }, `check-in:${row.id}`)
  })
}

/** `refused`: the server rejected this email, but may accept emails to other contacts. */
type Outcome = 'told' | 'refused' | 'unsent'

type Spent = [limit: Limit, key: string]

/**
 * Counts an email to a contact against the limits. A sender's first email to a contact also counts against the
 * contact's number of senders.
 */
function spendOn(platform: Platform, sender: string, contact: string): Promise<Spent[]> {
  const own: Spent = [fromOne, `${sender} ${contact}`]
  return refundedOnFailure(platform.limits, async (limits) => {
    if ((await limits.spend(...own)) > 1) return [own]
    await limits.spend(senders, contact)
    return [own, [senders, contact]]
  })
}

/**
 * Counts against the limit only when an email is about to be sent: otherwise people could use up another person's
 * contact without sending anything.
 */
async function mailContact(platform: Platform, row: MissedRow): Promise<Outcome> {
  let spent: Spent[]
  try {
    spent = await spendOn(platform, row.user_id, macOf(platform, row.contact_email).toString('base64url'))
  } catch (err) {
    if (!(err instanceof AppError)) throw err
    platform.log.warn({ err }, 'a contact has reached the daily limit of emails about dates')
    return 'refused'
  }
  try {
    await mailAddress(platform, contactMail(platform, row))
    return 'told'
  } catch (err) {
    platform.log.warn({ err }, 'the contact of a date could not be mailed yet')
    if (!isUncertain(err)) for (const one of spent) await platform.limits.refund(...one)
    return isRefused(err) ? 'refused' : 'unsent'
  }
}

/**
 * Emails the contact of a missed check-in, if that is still needed. The contact's address is stored until the mail
 * server accepts the email. The attempt is recorded first, so that no other process sends the email too, however long
 * it takes and whatever fails. Returns the outcome if an email was attempted.
 */
async function tell(platform: Platform, id: string): Promise<Outcome | undefined> {
  const row = await takeMissed(platform.db, id, platform.clock.now(), waits)
  if (!row) return undefined
  const unneeded = isAnswered(row) || (await findDeclining(platform, [row.contact_email])).size > 0
  const outcome = unneeded ? undefined : await mailContact(platform, row)
  await settleTry(platform.db, row, { isTold: outcome === 'told', isDone: unneeded || outcome === 'told' })
  return outcome
}

/**
 * Runs every minute: emails the contacts of missed check-ins. A failed email doesn't delay the others. Separate from
 * `askCheckIns`, because it may wait for the mail server.
 */
export async function tellContacts(platform: Platform): Promise<void> {
  let inARow = 0
  const due = await findMissed(platform.db, platform.clock.now(), waits, atOnce)
  await eachOne(platform, due, 'a missed check-in could not be handled; the next run retries', async (id) => {
    if (inARow >= mostInARow) return
    const outcome = await tell(platform, id)
    if (outcome === 'told') inARow = 0
    if (outcome === 'unsent') inARow += 1
  })
}

/**
 * Runs every minute: asks people whose check-in is due, and deletes expired dates. A failure doesn't delay the others.
 */
export async function askCheckIns(platform: Platform): Promise<void> {
  const due = await findUnasked(platform.db, platform.clock.now(), atOnce)
  await eachOne(platform, due, 'a check-in question could not be sent; the next run retries', (id) => ask(platform, id))
  await deleteOver(platform.db, platform.clock.now())
}
