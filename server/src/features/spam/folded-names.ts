import { inBatches } from '../../platform/database/in-batches.ts'
import { foldedName } from '../../platform/folded-name.ts'
import type { Platform } from '../../platform/platform.ts'
import { findUnfolded, putFoldedNames, replaceSignals } from './folded-names.queries.ts'
import { personSignal } from './linked.ts'

/** The folding of names in signals before `foldedName` replaced it. */
const foldedBefore = (name: string) =>
  name
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '')
    .trim()
    .toLowerCase()

/** Only older versions and moderators leave names without a folded form. */
export async function foldNames({ db, secrets }: Pick<Platform, 'db' | 'secrets'>): Promise<void> {
  await inBatches(async (most) => {
    const rows = await findUnfolded(db, most)
    const folded = rows.map((row) => ({ ...row, folded: foldedName(row.name) }))
    // Updated before the names, because people whose name is folded aren't processed again.
    const signals = folded.map(({ userId, name, folded, birthDate }) => ({
      userId,
      before: personSignal(secrets, foldedBefore(name), birthDate),
      now: personSignal(secrets, folded, birthDate),
    }))
    await replaceSignals(
      db,
      signals.filter(({ before, now }) => !before.equals(now)),
    )
    await putFoldedNames(db, folded)
    return rows.length
  })
}
