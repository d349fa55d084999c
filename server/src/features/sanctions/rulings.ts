import type { Ruling } from '@duet/contract/sanctions.ts'
import { AppError } from '../../platform/errors.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../audit/actor.ts'
import { takeTurn } from './sanctions.queries.ts'
import { sanction } from './sanctions.ts'

const kinds = { warn: 'warning', restrict: 'restriction', suspend: 'suspension', ban: 'ban' } as const

/** Makes one moderation decision at a time: each locks several people, so concurrent decisions could deadlock. */
export function inTurn<T>(platform: Platform, work: (tx: Tx) => Promise<T>): Promise<T> {
  return platform.inOrder('moderation', () =>
    transaction(platform, async (tx) => {
      await takeTurn(tx.db)
      return work(tx)
    }),
  )
}

export function requireOther(actor: Actor, userId: string): void {
  if (actor.id === userId) throw new AppError('forbidden', "You can't decide about yourself.")
}

export function applyRuling(
  tx: Tx,
  actor: Actor,
  userId: string,
  ruling: Exclude<Ruling, { action: 'dismiss' }>,
  reportId?: number,
): Promise<string> {
  const { action, ground, statement, note } = ruling
  return sanction(tx, {
    ...{
      userId,
      kind: kinds[action],
      ground,
      statement,
      note,
      decidedBy: actor.id,
      requestId: actor.requestId,
      reportId,
    },
    days: 'days' in ruling ? ruling.days : undefined,
  })
}
