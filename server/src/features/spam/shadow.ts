import { promised } from '@duet/contract/promised.ts'
import { seconds } from '../../platform/clock.ts'
import { addJobIn } from '../../platform/jobs/jobs.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { openReview } from '../claims/open-review.ts'
import type { Holding } from '../conversations/holding.ts'
import type { OnReviewDecided } from '../moderation/reviews.ts'
import { findLive, lockAccount } from '../sanctions/sanctions.queries.ts'
import { endSanction, sanction } from '../sanctions/sanctions.ts'
import { type ReleaseLikes, settleLinked } from './linked.ts'
import { releasePart } from './releasing.ts'

/** After this many days, an administrator reviews the restriction if nobody has yet. */
const longestDays = promised.holdDays
/**
 * The kinds of reviews that end a hold: `spam` during a shadow restriction, `shadow_ended` after it, and
 * `linked_account` for a person who came back with a new account.
 */
const kinds = ['spam', 'shadow_ended', 'linked_account']
/** Messages that were being sent when a person was restricted are stored by then. */
const settleMs = seconds(2)

/** Shadow restrictions: a suspected bot's messages to strangers reach nobody until a moderator has reviewed them. */
export interface Shadow {
  /** Restricts a person and opens a review; does nothing for administrators and people already restricted. */
  restrict(userId: string, note: string): Promise<void>
  /**
   * If the review is dismissed, everything is delivered. If it is upheld, spam stays undelivered, and the person gets
   * the resulting sanction with its reasons.
   */
  onReviewDecided: OnReviewDecided
}

export function createShadow(platform: Platform, holding: Holding, releaseLikes: ReleaseLikes): Shadow {
  async function begin(tx: Tx, userId: string, note: string): Promise<boolean> {
    const account = await lockAccount(tx.db, userId)
    if (!account || account.is_super_admin) return false
    if (await findLive(tx.db, userId, 'shadow', tx.clock.now())) return false
    await holding.hold(tx, userId)
    await openReview(tx, { kind: 'spam', userId, note })
    await sanction(tx, {
      userId,
      kind: 'shadow',
      ground: 'spam',
      decidedBy: null,
      days: longestDays,
      statement: note,
      note,
    })
    return true
  }

  return {
    async restrict(userId, note) {
      if (!(await transaction(platform, (tx) => begin(tx, userId, note)))) return
      const again = () =>
        transaction(platform, async (tx) => {
          await lockAccount(tx.db, userId)
          if (await findLive(tx.db, userId, 'shadow', tx.clock.now())) await holding.hold(tx, userId)
        })
      setTimeout(
        () => void again().catch((err) => platform.log.warn({ err }, 'not all messages could be held')),
        settleMs,
      ).unref()
    },
    async onReviewDecided(tx, { kind, userId, outcome, by }) {
      if (!kinds.includes(kind)) return
      await settleLinked(tx, { kind, userId, outcome }, releaseLikes)
      const now = tx.clock.now()
      const live = kind === 'spam' ? await findLive(tx.db, userId, 'shadow', now) : undefined
      const as = outcome === 'dismissed' ? 'lifted' : 'ended'
      if (live) await endSanction(tx, { id: live.id, user_id: userId, kind: 'shadow' }, { as, by })
      // Runs after the resulting sanction. Releases the first batch now; the job releases the rest.
      await addJobIn(tx.db, 'release-held', { userId })
      tx.afterCommit((done) => transaction(done, (next) => releasePart(next, userId, { holding, releaseLikes })))
    },
  }
}
