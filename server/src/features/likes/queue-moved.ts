import { addJobIn } from '../../platform/jobs/jobs.ts'
import type { Tx } from '../../platform/platform.ts'
import { findHolding } from './likes.queries.ts'

/** Queues the release of these people's likes that are held until their location is published. */
export async function queueMoved({ db }: Pick<Tx, 'db'>, userIds: readonly string[]): Promise<void> {
  for (const userId of await findHolding(db, userIds)) await addJobIn(db, 'release-moved-likes', { userId })
}
