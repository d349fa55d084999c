import type { OwnStanding } from '@duet/contract/sanctions.ts'
import { days } from '../../platform/clock.ts'
import { AppError, conflict, notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import {
  type Actor,
  decisions,
  dropClaim,
  endSanction,
  findAddress,
  findSanctions,
  getStanding,
  hasBroken,
  inTurn,
  mayAppeal,
  record,
  requireClaim,
  requireOther,
  type SanctionRow,
} from '../moderation/moderation.ts'
import { notify } from '../notifications/notifications.ts'
import { putBack } from '../reports/reports.ts'
import { restoreVerification } from '../verification/verification.ts'
import { answerMail } from './answer-mail.ts'
import { closeAppeal, insertAppeal, lockAppeal } from './appeals.queries.ts'

const appeals = { name: 'appeals', points: 10, seconds: days(1) / 1000 }
const standingPath = '/standing'

/**
 * Appeals a sanction of the viewer's: once each, within six months. Throws not found for what is not theirs, conflict for
 * what cannot be appealed (any more).
 */
export async function appeal(
  platform: Platform,
  viewerId: string,
  { sanctionId, text }: { sanctionId: string; text: string },
): Promise<OwnStanding> {
  await platform.limits.spend(appeals, viewerId)
  await transaction(platform, async (tx) => {
    const [row] = isUuid(sanctionId) ? await findSanctions(tx.db, [sanctionId]) : []
    if (row?.user_id !== viewerId || row.kind === 'shadow') throw notFound()
    const now = tx.clock.now()
    const kept = mayAppeal(row, now) && (await insertAppeal(tx.db, { sanctionId, userId: viewerId, text, now }))
    if (!kept) throw conflict('This cannot be appealed any more.')
  })
  return getStanding(platform, viewerId)
}

/** Lifts a sanction and puts back what was taken away, where it can be. */
async function takeBack(
  tx: Tx,
  row: SanctionRow,
  as: 'reversed' | 'lifted',
  by: string,
): Promise<{ putBack: boolean; badge?: true }> {
  const isPutBack = row.item !== null && (await putBack(tx, row.user_id, row.item))
  await endSanction(tx, row, { as, by, told: as === 'lifted' })
  const isBadgeBack =
    row.ground === 'fake_profile' &&
    !(await hasBroken(tx.db, row.user_id, row.ground)) &&
    (await restoreVerification(tx, row.user_id))
  return { putBack: isPutBack, ...(isBadgeBack && { badge: true }) }
}

async function decide(tx: Tx, actor: Actor, id: string, outcome: 'upheld' | 'reversed', answer: string): Promise<void> {
  const found = await lockAppeal(tx.db, id)
  const [row] = found ? await findSanctions(tx.db, [found.sanction_id]) : []
  if (!found || !row) throw notFound()
  requireOther(actor, found.user_id)
  if (row.decided_by === actor.id)
    throw new AppError('forbidden', 'Somebody else decides appeals against your decisions.')
  if (found.state !== 'open') throw conflict('This was decided already.')
  await requireClaim(tx, 'appeal', id, actor.id)
  await closeAppeal(tx.db, id, { state: outcome, answer, by: actor.id, now: tx.clock.now() })
  await dropClaim(tx, 'appeal', id, actor.id)
  const done = outcome === 'reversed' ? await takeBack(tx, row, 'reversed', actor.id) : {}
  await notify(tx, found.user_id, { kind: 'appeal_decided', link: standingPath })
  tx.afterCommit(({ jobs }) => jobs.add('mail-answer', { sanctionId: row.id }))
  await record(tx, {
    ...{ actorId: actor.id, action: 'appeal_decided', reason: '', requestId: actor.requestId },
    target: { kind: 'appeal', id, person: found.user_id },
    details: { sanction: row.id, outcome, ...done },
  })
}

/**
 * Decides an appeal; the person is told the answer, and a reversal lifts the sanction. Throws not found; forbidden for
 * whoever decided the sanction and about oneself; conflict when it is decided already or claimed by somebody else.
 */
export async function decideAppeal(
  platform: Platform,
  actor: Actor,
  id: string,
  { outcome, answer }: { outcome: 'upheld' | 'reversed'; answer: string },
): Promise<void> {
  if (!isUuid(id)) throw notFound()
  await platform.limits.spend(decisions, actor.id)
  await inTurn(platform, (tx) => decide(tx, actor, id, outcome, answer))
}

/** Ends a sanction before its time. Throws not found, forbidden about oneself, conflict when it has ended. */
export async function liftSanction(platform: Platform, actor: Actor, id: string, reason: string): Promise<void> {
  if (!isUuid(id)) throw notFound()
  await platform.limits.spend(decisions, actor.id)
  await inTurn(platform, async (tx) => {
    const [row] = await findSanctions(tx.db, [id])
    if (!row) throw notFound()
    requireOther(actor, row.user_id)
    if (row.lifted_at) throw conflict('It has ended already.')
    const done = await takeBack(tx, row, 'lifted', actor.id)
    const target = { kind: 'person', id: row.user_id }
    const details = { sanction: id, ...done }
    await record(tx, {
      actorId: actor.id,
      action: 'sanction_lifted',
      target,
      reason,
      details,
      requestId: actor.requestId,
    })
  })
}

/** Mails somebody what became of their appeal. */
export async function mailAnswer(platform: Platform, sanctionId: string): Promise<void> {
  const [row] = await findSanctions(platform.db, [sanctionId])
  const address = row && (await findAddress(platform.db, row.user_id))
  if (!row || !address || row.appeal_state === null || row.appeal_state === 'open') return
  await platform.mailer.send(answerMail(address, { outcome: row.appeal_state, answer: row.answer ?? '' }))
}
