import { after, days } from '../../platform/clock.ts'
import { removeWithCommit } from '../../platform/file-removal.ts'
import { languageOf } from '../../platform/http/language.ts'
import { createAwayGuard, eachOne, eachStep } from '../../platform/jobs/each-one.ts'
import type { Platform } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { carriedKeys } from '../conversations/attachments.ts'
import { isAboutAll, isMailboxGone, mailPerson } from '../mails/sending.ts'
import { deletePhoto } from '../photos/photos.ts'
import { unusedMail } from './data-rights-mails.ts'
import { sweepFiles } from './file-sweep.ts'
import { noteInLedger } from './ledger.ts'
import {
  emptyTaken,
  expireInactive,
  findClosed,
  findRefused,
  findToWarn,
  putWarned,
  removeFormerNames,
  removeReport,
  removeVersions,
} from './retention.queries.ts'

const atOnce = 500
/** How long emails stay in the outbox, which replaces a mail server during development. */
const outboxDays = 30

async function warnInactive(platform: Platform): Promise<void> {
  const now = platform.clock.now()
  const people = await findToWarn(platform.db, now, atOnce)
  const message = 'a person could not be told that their account will go'
  const server = createAwayGuard((error) => isAboutAll(platform, error))
  const warn = async ({ id, email, language }: (typeof people)[number]) => {
    // If the mailbox no longer exists, the person counts as warned: otherwise an account with a dead address would be
    // kept forever.
    if (!(await isMailboxGone(platform, id, email)))
      await mailPerson(platform, id, { to: email, ...unusedMail(languageOf(language)) })
    await putWarned(platform.db, id, now)
  }
  await eachOne(platform, people, message, (one) => server.run(() => warn(one)))
}

const notRemoved = 'something kept for long enough could not be removed; it is tried again'

async function removeRefused(platform: Platform): Promise<void> {
  const refused = await findRefused(platform.db, platform.clock.now())
  await eachOne(platform, refused, notRemoved, ({ user_id, file_name }) => deletePhoto(platform, user_id, file_name))
}

/** Leaves the evidence to the file sweep, because a report that is being written may use the same file. */
async function removeReports(platform: Platform): Promise<void> {
  const closed = await findClosed(platform.db, platform.clock.now())
  await eachOne(platform, closed, notRemoved, (id) => removeReport(platform.db, id))
}

async function removeSeenBefore(platform: Platform): Promise<void> {
  for (let size = atOnce; size === atOnce; )
    size = await transaction(platform, async (tx) => {
      const files = await removeVersions(tx.db, tx.clock.now(), atOnce)
      await removeWithCommit(tx, files.filter(Boolean).flatMap(carriedKeys))
      return files.length
    })
  await removeFormerNames(platform.db, platform.clock.now())
}

async function expire(platform: Platform): Promise<void> {
  await transaction(platform, async (tx) => {
    const now = tx.clock.now()
    const gone = await expireInactive(tx.db, now)
    const at = now.toISOString()
    const entries = gone.map((userId) => ({ userId, eraseAt: at, notedAt: at }))
    await noteInLedger(tx.config.dataDir, entries)
    if (gone.length > 0)
      tx.log.info({ gone: gone.length }, 'accounts that no one has used for two years are about to be erased')
  })
}

/**
 * Deletes expired data: rejected photos after 30 days; reports and their evidence a year after they were closed;
 * removed profile texts after a year; earlier texts of edited and deleted messages after 30 days; former names after a
 * year; accounts unused for 24 months, with a warning at 23; and files that no row refers to. Needs the owner's
 * connection. Codes, sessions and counters expire without this job.
 */
export async function endRetention(platform: Platform): Promise<void> {
  await eachStep(
    () => removeRefused(platform),
    () => removeReports(platform),
    () => removeSeenBefore(platform),
    () => emptyTaken(platform.db, platform.clock.now()),
    () => warnInactive(platform),
    () => expire(platform),
    () => sweepFiles(platform),
    async () => platform.mailer.forgetBefore(after(platform.clock.now(), -days(outboxDays))),
  )
}
