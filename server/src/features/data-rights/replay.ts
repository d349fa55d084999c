import { findErased, putErased, removeChanges } from './erasure.queries.ts'
import { type Erasing, eraseAccount } from './erasure.ts'
import { readLedger } from './ledger.ts'

/**
 * Erases again whoever was erased after a backup was made: everybody in the ledger of the database and in the ledgers
 * that `files` are. Run it after a restore, before anybody is served. Gives how many had come back.
 */
export async function replayLedger(platform: Erasing, files: readonly string[]): Promise<number> {
  const erased = await findErased(platform.db)
  for (const file of files) {
    for (const { userId, erasedAt } of await readLedger(file)) {
      await putErased(platform.db, userId, new Date(erasedAt))
      erased.push(userId)
    }
  }
  let again = 0
  for (const userId of new Set(erased)) if (await eraseAccount(platform, userId)) again++
  // Nobody follows what changed here: every index is read anew when Duet starts.
  await removeChanges(platform.db)
  return again
}
