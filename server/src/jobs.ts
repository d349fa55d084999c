import { join } from 'node:path'
import type pg from 'pg'
import { accountJobs } from './features/accounts/accounts.jobs.ts'
import { appealJobs } from './features/appeals/appeals.ts'
import { auditJobs } from './features/audit/audit.ts'
import { candidateJobs } from './features/candidates/candidates.jobs.ts'
import { claimJobs } from './features/claims/claims.ts'
import { conversationJobs } from './features/conversations/attachments.ts'
import { dataRightsJobs } from './features/data-rights/data-rights.jobs.ts'
import { drillWeekly } from './features/data-rights/drill.ts'
import { dateJobs } from './features/dates/dates.jobs.ts'
import { discoveryJobs } from './features/discovery/discovery.ts'
import { identityJobs } from './features/identities/identities.ts'
import { likeJobs } from './features/likes/likes.jobs.ts'
import { findUnheardActors } from './features/likes/likes.queries.ts'
import { releaseLikes } from './features/likes/telling.ts'
import { mailJobs } from './features/mails/news.ts'
import { matchingJobs } from './features/matching/matching.jobs.ts'
import { passkeyJobs } from './features/passkeys/passkeys.ts'
import { placeJobs } from './features/places/places.ts'
import { pushJobs } from './features/push/push.ts'
import { questionJobs } from './features/questions/told-sheets.ts'
import { sanctionJobs } from './features/sanctions/sanctions.ts'
import { isFoundOut } from './features/spam/linked.queries.ts'
import { reviewKind } from './features/spam/linked.ts'
import { spamJobs } from './features/spam/spam.jobs.ts'
import { verificationJobs } from './features/verification/sweep.ts'
import { days } from './platform/clock.ts'
import { unlessLocked } from './platform/database/advisory-lock.ts'
import { openBackupPlace } from './platform/database/backup-place.ts'
import { backUpToPlace } from './platform/database/scheduled-backup.ts'
import { removeLeftFiles } from './platform/file-removal.ts'
import type { JobRunner, JobSpec } from './platform/jobs/jobs.ts'
import type { JobPlatforms } from './platform/platform.ts'

function backupJobs({ platform, locks }: JobPlatforms, owner: pg.ClientConfig): JobSpec[] {
  const { config, storage, clock, log } = platform
  if (!config.backup) return []
  const { to, passphrase } = config.backup
  const place = openBackupPlace(to)
  const workFolder = join(config.dataDir, 'work')
  const backUp = async () => {
    const name = await backUpToPlace({ owner, storage, place, workFolder, passphrase, log, now: clock.now() })
    log.info({ name }, 'a backup was made')
    await drillWeekly({ config, clock, log, locks }, place, name)
  }
  // Two concurrent backups would delete each other's unfinished files and occupy two job slots.
  const run = async () => {
    if (!(await unlessLocked(locks, 'back-up', backUp))) log.warn('another backup is still running')
  }
  // A machine that was off at night makes the backup when it starts. Retries end before the next night.
  return [{ name: 'back-up', cron: '11 2 * * *', mayHang: true, run, backfillMs: days(1), attempts: 11 }]
}

export const jobsOf = (base: JobPlatforms & { jobs: JobRunner }, owner: pg.ClientConfig): JobSpec[] => [
  ...backupJobs(base, owner),
  ...placeJobs(base),
  ...dataRightsJobs(base),
  { name: 'remove-files', cron: '*/10 * * * *', mayHang: true, run: () => removeLeftFiles(base.platform) },
  ...dateJobs(base),
  ...pushJobs(base),
  ...mailJobs(base),
  ...sanctionJobs(base),
  ...claimJobs(base),
  ...auditJobs(base),
  ...appealJobs(base),
  ...accountJobs(base),
  ...passkeyJobs(base),
  ...conversationJobs(base),
  ...verificationJobs(base),
  ...spamJobs(base, { releaseLikes, findUnheardActors }),
  ...candidateJobs(base),
  ...matchingJobs(base),
  ...likeJobs(base, (db, userId) => isFoundOut(db, userId, reviewKind)),
  ...questionJobs(base),
  { name: 'forget-failed-jobs', cron: '43 4 * * *', run: () => base.jobs.forgetFailed() },
  ...discoveryJobs(base),
  ...identityJobs(base),
]
