import type { Tx } from '../../platform/platform.ts'
import { putReview } from './claims.queries.ts'

export interface NewReview {
  /** What raised it, in snake_case. */
  kind: string
  userId: string
  /** What was noticed, for administrators. */
  note: string
}

/** Queues a person for review; each kind can be open once. */
export function openReview(tx: Pick<Tx, 'db' | 'clock'>, review: NewReview): Promise<void> {
  return putReview(tx.db, { ...review, now: tx.clock.now() })
}
