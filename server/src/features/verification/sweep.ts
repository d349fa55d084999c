import { promised } from '@duet/contract/promised.ts'
import { after, days, hours } from '../../platform/clock.ts'
import { eachOne } from '../../platform/jobs/each-one.ts'
import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms, Platform, Tx } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { notify } from '../notifications/notifications.ts'
import { forgetVerification, tellLostBadge } from './badge.ts'
import { findLapsed, findVerification, lockPerson } from './verification.queries.ts'

const askedHours = 1
const undecidedDays = promised.selfieDays
const rejectedDays = 30

const edges = ({ clock }: Pick<Platform, 'clock'>) => {
  const now = clock.now()
  return {
    asked: after(now, -hours(askedHours)),
    waiting: after(now, -days(undecidedDays)),
    rejected: after(now, -days(rejectedDays)),
  }
}

async function end(tx: Tx, userId: string): Promise<void> {
  await lockPerson(tx.db, userId)
  const row = await findVerification(tx.db, userId)
  // The verification may have been decided or restarted in the meantime.
  if (!row || (await findLapsed(tx.db, edges(tx), { one: userId })).length === 0) return
  await forgetVerification(tx, userId)
  if (row.state === 'waiting') await notify(tx, userId, { kind: 'verification_undecided', link: '/settings/profile' })
}

/**
 * Deletes selfies that got no decision within a week and asks those people to try again. Deletes unanswered poses, and
 * rejections after 30 days. A verification that can't be ended doesn't stop the others.
 */
export async function sweepVerifications(platform: Platform): Promise<void> {
  const over = await findLapsed(platform.db, edges(platform))
  await eachOne(platform, over, 'a verification could not be ended; it is tried again', async (userId) => {
    await tellLostBadge(platform, userId)
    await transaction(platform, (tx) => end(tx, userId))
  })
}

export const verificationJobs = ({ platform }: JobPlatforms): JobSpec[] => [
  { name: 'sweep-verifications', cron: '7 * * * *', mayHang: true, run: () => sweepVerifications(platform) },
]
