import type { Decision } from '@duet/contract/profiles.ts'
import { eachPart } from '../../platform/jobs/each-one.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { addPending, findCounted, lockStandings, type PendingChange, recountPending } from './pending.queries.ts'

/** One person's decision about the other, or null. A held like doesn't count as pending. */
export interface Word {
  decision: Decision | null
  at: Date | null
  held: boolean
}

interface Before {
  mine: Word
  theirs: Word
}

const isWaiting = (like: Word, answer: Word): boolean =>
  like.decision === 'like' && !like.held && (answer.decision === null || answer.decision === 'later')

function changeFor(id: string, [like, answer]: [Word, Word], [likeNow, answerNow]: [Word, Word]): PendingChange[] {
  const then = isWaiting(like, answer)
  const now = isWaiting(likeNow, answerNow)
  if (then === now) return []
  return [{ id, by: now ? 1 : -1, since: (now ? likeNow.at : like.at) as Date }]
}

export async function countPending(
  tx: Tx,
  { viewerId, targetId }: { viewerId: string; targetId: string },
  { mine, theirs }: Before,
  now: Word,
): Promise<void> {
  const changes = [
    ...changeFor(targetId, [mine, theirs], [now, theirs]),
    ...changeFor(viewerId, [theirs, mine], [theirs, now]),
  ]
  if (changes.length > 0) await addPending(tx.db, changes, tx.clock.now())
}

/** How many counts one transaction locks: few enough that likes for these people don't wait for long. */
const batchSize = 200

/**
 * Recounts everyone's pending likes. Decisions update the counts immediately. This run corrects counts after a ban, a
 * pause, a block or an erasure.
 */
export async function recountEverybody(platform: Platform): Promise<void> {
  const now = platform.clock.now()
  const message = 'pending likes could not be recounted; it will be retried the next night'
  let ids = ['00000000-0000-0000-0000-000000000000']
  do {
    ids = await findCounted(platform.db, ids.at(-1) as string, batchSize)
    await eachPart(platform, ids, { size: batchSize, message }, (part) =>
      transaction(platform, async (tx) => {
        await lockStandings(tx.db, part)
        // A separate statement, so that it sees changes that were committed while it waited for the locks.
        await recountPending(tx.db, part, now)
      }),
    )
  } while (ids.length === batchSize)
}
