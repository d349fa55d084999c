import type { Decision } from '@duet/contract/profiles.ts'
import { eachPart } from '../../platform/jobs/each-one.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { addPending, findCounted, lockStandings, type PendingChange, recountPending } from './pending.queries.ts'

/** What one of two people decided about the other, and when; null is nothing. A held one does not count as waiting. */
export interface Word {
  decision: Decision | null
  at: Date | null
  held: boolean
}

/** Both directions of a pair before one of them decides. */
interface Before {
  mine: Word
  theirs: Word
}

const isWaiting = (like: Word, answer: Word): boolean =>
  like.decision === 'like' && !like.held && (answer.decision === null || answer.decision === 'later')

/** How a change of two people's decisions changes what waits for `id`, who answers. */
function changeFor(id: string, [like, answer]: [Word, Word], [likeNow, answerNow]: [Word, Word]): PendingChange[] {
  const then = isWaiting(like, answer)
  const now = isWaiting(likeNow, answerNow)
  if (then === now) return []
  return [{ id, by: now ? 1 : -1, since: (now ? likeNow.at : like.at) as Date }]
}

/** Keeps count of the likes that wait for the answers of two people when the viewer decides, or retracts a decision. */
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

/** People whose counts one transaction locks: few enough that people who like them don't wait for long. */
const batchSize = 200

/**
 * Recounts the likes that wait for the answers of all people. As people decide they are counted as they come and go; what
 * ends in other ways (a ban, a pause, a block, an erased account) is found here.
 */
export async function recountEverybody(platform: Platform): Promise<void> {
  const now = platform.clock.now()
  const message = 'likes that wait could not be recounted; it is tried again the next night'
  let ids = ['00000000-0000-0000-0000-000000000000']
  do {
    ids = await findCounted(platform.db, ids.at(-1) as string, batchSize)
    await eachPart(platform, ids, { size: batchSize, message }, (part) =>
      transaction(platform, async (tx) => {
        await lockStandings(tx.db, part)
        // A separate statement, because it has to see changes committed while it waited for the locks.
        await recountPending(tx.db, part, now)
      }),
    )
  } while (ids.length === batchSize)
}
