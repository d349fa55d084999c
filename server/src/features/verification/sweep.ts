import { after, days, hours } from '../../platform/clock.ts'
import { transaction } from '../../platform/database/transaction.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { notify } from '../notifications/notifications.ts'
import { forgetVerification, tellLostBadge } from './badge.ts'
import { findLapsed, findVerification, lockPerson } from './verification.queries.ts'

const askedHours = 1
const undecidedDays = 7
const rejectedDays = 30
const sweptAtOnce = 50

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
  // It may have been decided, or begun anew, meanwhile.
  if (!row || (await findLapsed(tx.db, edges(tx), { one: userId, limit: 1 })).length === 0) return
  await forgetVerification(tx, userId)
  if (row.state === 'waiting') await notify(tx, userId, { kind: 'verification_undecided', link: '/settings/profile' })
}

/** False when it cannot be done now: it is tried again, and does not hold up the others. */
async function endFor(platform: Platform, userId: string): Promise<boolean> {
  try {
    await tellLostBadge(platform, userId)
    await transaction(platform, (tx) => end(tx, userId))
    return true
  } catch (err) {
    platform.log.error({ err }, 'a verification could not be ended')
    return false
  }
}

/**
 * Deletes selfies that were not decided within a week, and tells their people to try again; forgets poses that
 * were not answered, and rejections after 30 days.
 */
export async function sweepVerifications(platform: Platform): Promise<void> {
  for (;;) {
    const over = await findLapsed(platform.db, edges(platform), { limit: sweptAtOnce })
    let stayed = 0
    for (const userId of over) if (!(await endFor(platform, userId))) stayed++
    if (over.length < sweptAtOnce || stayed > 0) return
  }
}
