import type { Review } from '@duet/contract/moderation.ts'
import type { Ruling } from '@duet/contract/sanctions.ts'
import { readCursor, writeCursor } from '../../platform/cursor.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import { languageOf } from '../../platform/language.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { record } from './audit.ts'
import { claimsOn, dropClaim, requireClaim } from './claims.ts'
import { closeReview, findReviews, lockReview } from './reviews.queries.ts'
import { type Actor, applyRuling, decisions, inTurn, requireOther } from './rulings.ts'
import { strikesOf, suggestAction } from './sanctions.ts'

const list = 'reviews'

interface Page {
  cursor?: string | undefined
  limit: number
}

/** A page of the people somebody should look at, oldest first. Never the viewer. */
export async function listReviews(
  platform: Pick<Platform, 'db' | 'clock' | 'secrets'>,
  viewerId: string,
  { cursor, limit }: Page,
): Promise<{ reviews: Review[]; nextCursor: string | null }> {
  const [at, id] = cursor ? readCursor(platform.secrets, list, cursor) : []
  const after = cursor ? { at: String(at), id: String(id) } : undefined
  const rows = await findReviews(platform.db, viewerId, after, limit + 1)
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  const people = page.map((row) => row.user_id)
  const ids = page.map((row) => row.id)
  const [strikes, claims] = [await strikesOf(platform, people), await claimsOn(platform, 'review', ids)]
  const reviews = page.map((row) => ({
    ...{ id: row.id, kind: row.kind, note: row.note, standing: row.standing, claim: claims(row.id) },
    person: { id: row.user_id, name: row.name },
    language: languageOf(row.language),
    createdAt: row.created_at.toISOString(),
    strikes: strikes(row.user_id),
    suggested: suggestAction('normal', strikes(row.user_id)),
  }))
  const nextCursor = last ? writeCursor(platform.secrets, list, [last.created_at.toISOString(), last.id]) : null
  return { reviews, nextCursor }
}

/** Hears what was decided about somebody whom another part of Duet wanted to be looked at, before a sanction follows. */
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
  requireOther(actor, review.user_id)
  if (review.state !== 'open') throw conflict('This was decided already.')
  await requireClaim(tx, 'review', id, actor.id)
  const outcome = ruling.action === 'dismiss' ? 'dismissed' : 'upheld'
  await closeReview(tx.db, id, { outcome, by: actor.id, now: tx.clock.now() })
  await dropClaim(tx, 'review', id, actor.id)
  await onDecided(tx, { kind: review.kind, userId: review.user_id, outcome, by: actor.id })
  if (ruling.action !== 'dismiss') await applyRuling(tx, actor, review.user_id, ruling)
  await record(tx, {
    ...{ actorId: actor.id, action: 'review_decided', reason: ruling.note, requestId: actor.requestId },
    target: { kind: 'review', id, person: review.user_id },
    details: { of: review.kind, action: ruling.action },
  })
}

/** Decides a review. Throws not found, forbidden about oneself and super administrators, conflict when somebody was faster. */
export async function decideReview(platform: Platform, actor: Actor, decision: Decision): Promise<void> {
  if (!isUuid(decision.id)) throw notFound()
  await platform.limits.spend(decisions, actor.id)
  await inTurn(platform, (tx) => decide(tx, actor, decision))
}
