import type { Review } from '@duet/contract/moderation.ts'
import type { Ruling } from '@duet/contract/sanctions.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { cutPage, type PageRequest, readTimedPosition, timedPosition } from '../../platform/http/cursor.ts'
import { languageOf } from '../../platform/http/language.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import type { Actor } from '../audit/actor.ts'
import { recordInAudit } from '../audit/audit.ts'
import { claimsOn, dropClaim, requireClaim } from '../claims/claims.ts'
import { applyRuling, inTurn } from '../sanctions/rulings.ts'
import { setReview } from '../sanctions/sanctions.queries.ts'
import { strikesOf, suggestAction } from '../sanctions/sanctions.ts'
import { closeReview, findReviews, lockReview } from './reviews.queries.ts'

const list = 'reviews'

export async function listReviews(
  platform: Pick<Platform, 'db' | 'clock' | 'secrets'>,
  viewerId: string,
  { cursor, limit }: PageRequest,
): Promise<{ reviews: Review[]; nextCursor: string | null }> {
  const after = readTimedPosition(platform.secrets, list, cursor)
  const rows = await findReviews(platform.db, viewerId, after, limit + 1)
  const positionOf = (row: (typeof rows)[number]) => timedPosition(row.created_at, row.id)
  const { page, nextCursor } = cutPage(platform.secrets, list, { rows, limit, positionOf })
  const people = page.map((row) => row.user_id)
  const ids = page.map((row) => row.id)
  const strikes = await strikesOf(platform, people)
  const claims = await claimsOn(platform, 'review', ids)
  const reviews = page.map((row) => ({
    id: row.id,
    kind: row.kind,
    note: row.note,
    standing: row.standing,
    claim: claims(row.id),
    person: { id: row.user_id, name: row.name },
    language: languageOf(row.language),
    createdAt: row.created_at.toISOString(),
    strikes: strikes(row.user_id),
    suggested: suggestAction('normal', strikes(row.user_id)),
  }))
  return { reviews, nextCursor }
}

/** Called with the decision about a review that another feature opened, before a resulting sanction is applied. */
export type OnReviewDecided = (
  tx: Tx,
  decided: { kind: string; userId: string; outcome: 'upheld' | 'dismissed'; by: string },
) => Promise<void>

interface Decision {
  id: string
  ruling: Ruling
  onDecided: OnReviewDecided
}

async function decide(tx: Tx, actor: Actor, { id, ruling, onDecided }: Decision): Promise<void> {
  const review = await lockReview(tx.db, id)
  if (!review) throw notFound()
  if (review.state !== 'open') throw conflict('This has already been decided.')
  await requireClaim(tx, 'review', id, actor.id)
  const outcome = ruling.action === 'dismiss' ? 'dismissed' : 'upheld'
  await closeReview(tx.db, id, { outcome, by: actor.id, now: tx.clock.now() })
  await dropClaim(tx, 'review', id, actor.id)
  await onDecided(tx, { kind: review.kind, userId: review.user_id, outcome, by: actor.id })
  if (ruling.action !== 'dismiss') await setReview(tx.db, await applyRuling(tx, actor, review.user_id, ruling), id)
  await recordInAudit(tx, {
    actorId: actor.id,
    action: 'review_decided',
    reason: ruling.note,
    requestId: actor.requestId,
    target: { kind: 'review', id, person: review.user_id },
    details: { of: review.kind, action: ruling.action },
  })
}

/**
 * Decides a review. Throws not found; forbidden for reviews of the actor and of super administrators; conflict if
 * another administrator was faster.
 */
export async function decideReview(platform: Platform, actor: Actor, decision: Decision): Promise<void> {
  if (!isUuid(decision.id)) throw notFound()
  await inTurn(platform, (tx) => decide(tx, actor, decision))
}
