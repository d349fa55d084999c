import { languageOf } from '../../platform/language.ts'
import type { Platform } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { deletePhoto } from '../photos/photos.ts'
import { removeEvidence } from '../reports/reports.ts'
import { unusedMail } from './data-rights-mails.ts'
import {
  emptyTaken,
  expireInactive,
  findClosed,
  findRefused,
  findToWarn,
  isEvidence,
  putWarned,
  removeReport,
} from './retention.queries.ts'

const atOnce = 500

async function warnInactive(platform: Platform): Promise<void> {
  const now = platform.clock.now()
  for (const { id, email, language } of await findToWarn(platform.db, now, atOnce)) {
    try {
      await platform.mailer.send({ to: email, ...unusedMail(languageOf(language)) })
      await putWarned(platform.db, id, now)
    } catch (err) {
      platform.log.error({ err }, 'somebody could not be told that their account will go')
    }
  }
}

/** Does it for each; one that cannot be done now is tried the next time, and does not hold up the others. */
async function forEach<T>({ log }: Pick<Platform, 'log'>, all: readonly T[], work: (one: T) => Promise<unknown>) {
  for (const one of all) {
    await work(one).catch((err: unknown) => log.error({ err }, 'something kept for long enough could not be removed'))
  }
}

async function removeRefused(platform: Platform): Promise<void> {
  const refused = await findRefused(platform.db, platform.clock.now())
  await forEach(platform, refused, ({ user_id, file_name }) => deletePhoto(platform, user_id, file_name))
}

const evidenceFiles = (evidence: unknown) =>
  JSON.stringify(evidence).match(/\b[0-9a-f]{64}\.(?:webp|webm|ogg|m4a)\b/g) ?? []

/** One file may be evidence of several reports: it goes with the last of them, before the commit. */
async function removeReports(platform: Platform): Promise<void> {
  await forEach(platform, await findClosed(platform.db, platform.clock.now()), (id) =>
    transaction(platform, async (tx) => {
      for (const fileName of new Set(evidenceFiles(await removeReport(tx.db, id)))) {
        if (!(await isEvidence(tx.db, fileName))) await removeEvidence(tx, fileName)
      }
    }),
  )
}

/**
 * Removes what has been kept for long enough: photos that were refused, after 30 days; reports and their evidence, a year
 * after they were closed, and the words that were taken away a year ago; accounts that nobody uses, after 24 months, told at 23. Run as the owner. Codes, sessions and
 * counters have times of their own.
 */
export async function endRetention(platform: Platform): Promise<void> {
  await removeRefused(platform)
  await removeReports(platform)
  await emptyTaken(platform.db, platform.clock.now())
  await warnInactive(platform)
  const gone = await expireInactive(platform.db, platform.clock.now())
  if (gone > 0) platform.log.info({ gone }, 'accounts that nobody has used for two years are about to be erased')
}
