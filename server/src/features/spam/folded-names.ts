import { inBatches } from '../../platform/database/in-batches.ts'
import { foldedName } from '../../platform/folded-name.ts'
import { addJobIn } from '../../platform/jobs/jobs.ts'
import type { Platform } from '../../platform/platform.ts'
import { findUnfolded, putFoldedNames, replaceSignals } from './folded-names.queries.ts'
import { addRecognition, personSignal } from './linked.ts'

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
    const signals = rows.flatMap(({ userId, name, formerNames, birthDate }) =>
      [name, ...formerNames].map((one) => ({
        userId,
        before: personSignal(secrets, foldedBefore(one), birthDate),
        now: personSignal(secrets, foldedName(one), birthDate),
      })),
    )
    const alike = await replaceSignals(
      db,
      signals.filter(({ before, now }) => !before.equals(now)),
    )
    // These accounts may be the same person's, which nothing noticed while their foldings differed.
    await db.transaction().execute(async (trx) => {
      for (const userId of alike) {
        await addRecognition(trx, userId)
        await addJobIn(trx, 'compare-others', { userId }, `compare-others:${userId}`)
      }
    })
    await putFoldedNames(db, folded)
    return rows.length
  })
}
