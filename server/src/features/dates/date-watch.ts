import type { Platform } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { notify } from '../notifications/notifications.ts'
import { graceMinutes, isAnswered, keyOfDate } from './check-in.ts'
import { contactMail } from './contact-mail.ts'
import { macsOf } from './date-links.ts'
import { deleteOver, isDeclined, type MissedRow, takeMissed, takeUnasked, updateDate } from './dates.queries.ts'

/** More in a minute wait for the next one. */
const atOnce = 500
const mostTries = 12
/** Whoever has not said by then how the mail went was cut off. */
const tryMinutes = 5

/** Asks the next person whether they are well; false when there is nobody to ask. */
function askNext(platform: Platform): Promise<boolean> {
  return transaction(platform, async (tx) => {
    const now = tx.clock.now()
    const row = await takeUnasked(tx.db, now)
    if (!row) return false
    await updateDate(tx.db, row.id, { asked_at: now })
    if (!isAnswered(row))
      await notify(tx, row.user_id, { kind: 'date_check_in', link: '/dates', collapseKey: keyOfDate(row.id) })
    return true
  })
}

async function mailed(platform: Platform, row: MissedRow): Promise<boolean> {
  try {
    await platform.mailer.send(contactMail(platform, row))
    return true
  } catch (err) {
    platform.log.warn({ err }, 'the contact of a date could not be mailed yet')
    return false
  }
}

/**
 * Tells the contact of the next missed check-in; false when there is none, or mails cannot be sent now. It is noted
 * before: however long the mail takes and whatever breaks off meanwhile, nobody else mails it at the same time.
 */
async function tellNext(platform: Platform): Promise<boolean> {
  const now = platform.clock.now()
  const row = await takeMissed(platform.db, now, { graceMinutes, tryMinutes })
  if (!row) return false
  const unneeded = isAnswered(row) || (await isDeclined(platform.db, macsOf(platform, row.contact_email)))
  const told = !unneeded && (await mailed(platform, row))
  const over = unneeded || told || row.contact_tries >= mostTries
  await updateDate(platform.db, row.id, {
    ...(over && { contact_email: null }),
    ...(!told && { contact_told_at: null }),
  })
  return unneeded || told
}

/** Every minute: asks those whose check-in is due, mails the contacts of those who did not answer, removes what is over. */
export async function watchDates(platform: Platform): Promise<void> {
  for (let done = 0; done < atOnce && (await askNext(platform)); done++);
  for (let done = 0; done < atOnce && (await tellNext(platform)); done++);
  await deleteOver(platform.db, platform.clock.now())
}
