import { seconds } from '../../platform/clock.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Holding } from '../conversations/conversations.ts'
import {
  endSanction,
  findLive,
  lockAccount,
  type OnReviewDecided,
  openReview,
  sanction,
} from '../moderation/moderation.ts'
import { settleLinked } from './linked.ts'
import { isHeldBack } from './spam.queries.ts'

/** Somebody has looked by then, or looks then. */
const longestDays = 7
/** What is held back waits for these reviews: of a shadow restriction, while it lasts and later, and of whoever comes back. */
const kinds = ['spam', 'shadow_ended', 'linked_account']
/** What was under way when somebody was restricted is kept by then. */
const settleMs = seconds(2)

/** Shadow restrictions: what somebody who seems to be a machine writes to strangers reaches nobody until a person has looked. */
export interface Shadow {
  /** Restricts somebody and asks for a review; nothing when they are already, or are an administrator. */
  restrict(userId: string, note: string): Promise<void>
  /** Dismissed, everything is delivered; upheld, it stays where it is, and what follows is told with reasons. */
  onReviewDecided: OnReviewDecided
}

export function createShadow(platform: Platform, holding: Holding): Shadow {
  async function begin(tx: Tx, userId: string, note: string): Promise<boolean> {
    const account = await lockAccount(tx.db, userId)
    if (!account || account.is_super_admin) return false
    if (await findLive(tx.db, userId, 'shadow', tx.clock.now())) return false
    await holding.hold(tx, userId)
    await openReview(tx, { kind: 'spam', userId, note })
    await sanction(tx, {
      ...{ userId, kind: 'shadow', ground: 'spam', decidedBy: null, days: longestDays },
      ...{ statement: note, note },
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
        () => void again().catch((err) => platform.log.warn({ err }, 'not all was held back')),
        settleMs,
      ).unref()
    },
    async onReviewDecided(tx, { kind, userId, outcome, by }) {
      if (!kinds.includes(kind)) return
      await settleLinked(tx, { kind, userId, outcome })
      const now = tx.clock.now()
      const live = kind === 'spam' ? await findLive(tx.db, userId, 'shadow', now) : undefined
      const lifted = outcome === 'dismissed'
      if (live)
        await endSanction(tx, { id: live.id, user_id: userId, kind: 'shadow' }, { as: lifted ? 'lifted' : 'ended', by })
      // They may be held back for another reason as well, which somebody has yet to look at.
      if (lifted && !(await isHeldBack(tx.db, userId, now))) await holding.release(tx, userId)
    },
  }
}
