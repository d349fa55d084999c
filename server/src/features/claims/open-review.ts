import type { Tx } from '../../platform/platform.ts'
import { putReview } from './claims.queries.ts'

export interface NewReview {
  /** The kind of finding, in snake_case. */
  kind: string
  userId: string
  /** A note for administrators about what was found. */
  note: string
}

/** Queues a person for review. A person has at most one open review of each kind. */
export function openReview(tx: Pick<Tx, 'db' | 'clock'>, review: NewReview): Promise<void> {
  return putReview(tx.db, { ...review, now: tx.clock.now() })
}
