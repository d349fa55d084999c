import type { OwnStanding } from '@duet/contract/sanctions.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { JobSpec } from '../../platform/jobs/jobs.ts'
import { addJobIn } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms, Platform, Tx } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../audit/actor.ts'
import { recordInAudit } from '../audit/audit.ts'
import { dropClaim, requireClaim, takeClaim } from '../claims/claims.ts'
import { mailPerson } from '../mails/sending.ts'
import { notify } from '../notifications/notifications.ts'
import { restoreRemovedItem } from '../reports/removing.ts'
import { inTurn, requireOther } from '../sanctions/rulings.ts'
import { findAddress, findSanctions, hasBroken, type SanctionRow } from '../sanctions/sanctions.queries.ts'
import { endSanction } from '../sanctions/sanctions.ts'
import { getStanding, mayAppeal } from '../sanctions/standing.ts'
import { restoreVerification } from '../verification/badge.ts'
import { answerMail } from './answer-mail.ts'
import { type AppealRow, closeAppeal, insertAppeal, lockAppeal, lockOpenAppeal } from './appeals.queries.ts'

const standingPath = '/standing'

/**
 * Appeals one of the viewer's sanctions, once and within six months. Throws not found for other people's sanctions, and
 * conflict if this one can't be appealed, or no longer can.
 */
export async function appeal(
  platform: Platform,
  viewerId: string,
  { sanctionId, text }: { sanctionId: string; text: string },
): Promise<OwnStanding> {
  await transaction(platform, async (tx) => {
    const [row] = isUuid(sanctionId) ? await findSanctions(tx.db, [sanctionId]) : []
    if (row?.user_id !== viewerId || row.kind === 'shadow') throw notFound()
    const now = tx.clock.now()
    const kept = mayAppeal(row, now) && (await insertAppeal(tx.db, { sanctionId, userId: viewerId, text, now }))
    if (!kept) throw conflict("This can't be appealed any more.")
  })
  return getStanding(platform, viewerId)
}

async function takeBack(
  tx: Tx,
  row: SanctionRow,
  as: 'reversed' | 'lifted',
  by: string,
): Promise<{ putBack: boolean; badge?: true }> {
  // The items of an ended sanction were already restored. If one is missing now, another decision removed it.
  if (!(await endSanction(tx, row, { as, by, told: as === 'lifted' }))) return { putBack: false }
  const isPutBack = row.item !== null && (await restoreRemovedItem(tx, row.user_id, row.item))
  const tookBadge = row.ground === 'fake_profile' || (isPutBack && row.item?.kind === 'photo')
  const isBadgeBack =
    tookBadge && !(await hasBroken(tx.db, row.user_id, 'fake_profile')) && (await restoreVerification(tx, row.user_id))
  return { putBack: isPutBack, ...(isBadgeBack && { badge: true }) }
}

/** Stores the answer, notifies the person in the app and by email, and releases the claim. */
async function answerAppeal(
  tx: Tx,
  { id, sanction_id: sanctionId, user_id: userId }: Pick<AppealRow, 'id' | 'sanction_id' | 'user_id'>,
  decision: { state: 'upheld' | 'reversed'; answer: string; by: string },
): Promise<void> {
  await closeAppeal(tx.db, id, { ...decision, now: tx.clock.now() })
  await notify(tx, userId, { kind: 'appeal_decided', link: standingPath })
  await addJobIn(tx.db, 'mail-answer', { sanctionId })
}

async function decide(tx: Tx, actor: Actor, id: string, outcome: 'upheld' | 'reversed', answer: string): Promise<void> {
  const found = await lockAppeal(tx.db, id)
  const [row] = found ? await findSanctions(tx.db, [found.sanction_id]) : []
  if (!found || !row) throw notFound()
  if (found.state !== 'open') throw conflict('This has already been decided.')
  await requireClaim(tx, 'appeal', id, actor.id)
  await dropClaim(tx, 'appeal', id, actor.id)
  const done = outcome === 'reversed' ? await takeBack(tx, row, 'reversed', actor.id) : {}
  await answerAppeal(tx, found, { state: outcome, answer, by: actor.id })
  await recordInAudit(tx, {
    actorId: actor.id,
    action: 'appeal_decided',
    reason: '',
    requestId: actor.requestId,
    target: { kind: 'appeal', id, person: found.user_id },
    details: { sanction: row.id, outcome, ...done },
  })
}

/**
 * Decides an appeal and sends the person the answer. A reversal lifts the sanction. Throws not found; forbidden for
 * everyone involved in the sanction; conflict if it is already decided or another administrator has claimed it.
 */
export async function decideAppeal(
  platform: Platform,
  actor: Actor,
  id: string,
  { outcome, answer }: { outcome: 'upheld' | 'reversed'; answer: string },
): Promise<void> {
  if (!isUuid(id)) throw notFound()
  await inTurn(platform, (tx) => decide(tx, actor, id, outcome, answer))
}

/**
 * Ends a sanction early. If an appeal against it is open, that is decided in the person's favour. Call it while holding
 * the lock that serialises decisions. Throws forbidden for one's own sanction, and conflict if it has ended or another
 * administrator has claimed the appeal.
 */
export async function lift(tx: Tx, actor: Actor, row: SanctionRow, reason: string): Promise<void> {
  requireOther(actor, row.user_id)
  if (row.lifted_at) throw conflict('It has already ended.')
  const waiting = await lockOpenAppeal(tx.db, row.id)
  if (waiting) {
    // Administrators may end their own decisions early even while an appeal is open, because that favours the person.
    await takeClaim(tx, 'appeal', waiting.id, actor.id)
    await dropClaim(tx, 'appeal', waiting.id, actor.id)
  }
  const done = await takeBack(tx, row, 'lifted', actor.id)
  if (waiting) await answerAppeal(tx, waiting, { state: 'reversed', answer: '', by: actor.id })
  const details = { sanction: row.id, ...done, ...(waiting && { appeal: waiting.id }) }
  await recordInAudit(tx, {
    actorId: actor.id,
    action: 'sanction_lifted',
    reason,
    details,
    requestId: actor.requestId,
    target: { kind: 'person', id: row.user_id },
  })
}

/** Like `lift`, but finds the sanction by its id. Throws not found. */
export async function liftSanction(platform: Platform, actor: Actor, id: string, reason: string): Promise<void> {
  if (!isUuid(id)) throw notFound()
  await inTurn(platform, async (tx) => {
    const [row] = await findSanctions(tx.db, [id])
    if (!row) throw notFound()
    await lift(tx, actor, row, reason)
  })
}

async function mailAnswer(platform: Platform, sanctionId: string): Promise<void> {
  const [row] = await findSanctions(platform.db, [sanctionId])
  const address = row && (await findAddress(platform.db, row.user_id))
  if (!row || !address || row.appeal_state === null || row.appeal_state === 'open') return
  const { lifted_as: liftedAs, appeal_state: outcome, answer } = row
  const mail = answerMail(address, { outcome, answer: answer ?? '', byLifting: liftedAs === 'lifted' })
  await mailPerson(platform, row.user_id, mail)
}

export const appealJobs = ({ platform }: JobPlatforms): JobSpec[] => [
  {
    name: 'mail-answer',
    waitsFor: 'mail',
    run: (payload) => mailAnswer(platform, (payload as { sanctionId: string }).sanctionId),
  },
]
