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

/** People find out that Duet is back, and may have changed their minds in what was lost. */
const graceMs = days(1)
/** Clocks differ, and a backup takes its time to begin. */
const marginMs = hours(1)

/** What each person decided last. */
function lastOf(entries: readonly LedgerEntry[]): ErasureDecision[] {
  const decided = entries.filter((entry) => 'notedAt' in entry)
  const byMoment = decided.toSorted(by(({ notedAt }) => Date.parse(notedAt)))
  return [...new Map(byMoment.map((entry) => [entry.userId, entry])).values()]
}

/**
 * Does again what people decided about their accounts after a backup of `madeAt` was made, by the ledger of the database
 * and the ledgers that `files` are: those who were erased are erased again, those who asked for it are hidden until their
 * day, those who took it back stay. All others are erased a day from now at the earliest. Recovery codes that were used
 * stay used. An address change comes back with its undo, used or not, which then works for another day at least. Run it
 * after a restore, before Duet serves requests. Returns how many had come back.
 */
export async function replayLedger(platform: Erasing, files: readonly string[], madeAt: Date): Promise<number> {
  const entries = (await Promise.all(files.map(readLedger))).flat()
  const erased = await findErased(platform.db)
  for (const entry of entries) {
    if (!('erasedAt' in entry)) continue
    await putErased(platform.db, entry.userId, new Date(entry.erasedAt))
    erased.push(entry.userId)
  }
  // What was decided earlier is in the backup, and may have been changed on a node whose ledger is lost.
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
  // Nothing follows what changed here: every index is read anew when Duet starts.
  await removeChanges(platform.db)
  return again
}
