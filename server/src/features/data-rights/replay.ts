import { by } from '@duet/contract/order.ts'
import { after, days, hours } from '../../platform/clock.ts'
import {
  findErased,
  postponeErasures,
  postponeUndos,
  putErased,
  removeChanges,
  setEraseAt,
  spendCodes,
} from './erasure.queries.ts'
import { type Erasing, eraseAccount } from './erasure.ts'
import { type ErasureDecision, type LedgerEntry, readLedger } from './ledger.ts'

/** Gives people time to notice that the service is back, and to repeat a decision that was lost. */
const graceMs = days(1)
/** Clocks differ between machines, and a backup doesn't start immediately. */
const marginMs = hours(1)

function lastOf(entries: readonly LedgerEntry[]): ErasureDecision[] {
  const decided = entries.filter((entry) => 'notedAt' in entry)
  const byMoment = decided.toSorted(by(({ notedAt }) => Date.parse(notedAt)))
  return [...new Map(byMoment.map((entry) => [entry.userId, entry])).values()]
}

/**
 * Repeats decisions about accounts that were made after the backup (at `madeAt`), from the restored database's own
 * ledger and those in `files`. Erases people again who had been erased, schedules requested erasures, and cancels
 * cancelled ones. Postpones all other erasures to at least a day from now. Used recovery codes stay used. An address
 * change that the restore brought back can be undone for at least another day, even if it already was. Run it after a
 * restore, before the server accepts requests. Returns how many people it erased again.
 */
export async function replayLedger(platform: Erasing, files: readonly string[], madeAt: Date): Promise<number> {
  const entries = (await Promise.all(files.map(readLedger))).flat()
  const erased = await findErased(platform.db)
  for (const entry of entries) {
    if (!('erasedAt' in entry)) continue
    await putErased(platform.db, entry.userId, new Date(entry.erasedAt))
    erased.push(entry.userId)
  }
  // The backup contains earlier decisions, and perhaps later changes to them whose ledger was lost with another server.
  const since = after(madeAt, -marginMs)
  const isNews = ({ notedAt }: ErasureDecision) => new Date(notedAt) >= since
  await setEraseAt(platform.db, lastOf(entries).filter(isNews))
  const earliest = after(platform.clock.now(), graceMs)
  await postponeErasures(platform.db, earliest)
  await postponeUndos(platform.db, madeAt, earliest)
  await spendCodes(
    platform.db,
    entries.filter((entry) => 'spentCode' in entry),
  )
  let again = 0
  for (const userId of new Set(erased)) if (await eraseAccount(platform, userId)) again++
  await removeChanges(platform.db)
  return again
}
