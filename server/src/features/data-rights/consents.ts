import { type Consent, consentPurposes } from '@duet/contract/data-rights.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { withdrawTold } from '../questions/told-sheets.ts'
import { findConsents, putConsent, removePlace, removeSensitive, setLearning } from './consents.queries.ts'

/** The version of the consent texts. The migrations contain the same number. */
const version = '1'

type Changeable = Exclude<Consent['purpose'], 'terms'>

export async function listConsents(platform: Pick<Platform, 'db'>, viewerId: string): Promise<{ consents: Consent[] }> {
  const rows = new Map((await findConsents(platform.db, viewerId)).map((row) => [row.purpose, row]))
  const consents = consentPurposes.map((purpose): Consent => {
    const row = rows.get(purpose)
    if (!row) return { purpose, version, granted: false, at: null }
    const at = (row.withdrawn_at ?? row.granted_at).toISOString()
    return { purpose, version: row.version, granted: row.withdrawn_at === null, at }
  })
  return { consents }
}

const withdraw: Record<Changeable, (tx: Tx, userId: string) => Promise<void>> = {
  location: (tx, userId) => removePlace(tx.db, userId),
  sensitive: async (tx, userId) => {
    const hadAnswers = await removeSensitive(tx.db, userId)
    await withdrawTold(tx, userId, hadAnswers)
  },
  learning: (tx, userId) => setLearning(tx.db, userId, false),
}

/**
 * Records that the viewer gives or withdraws consent. Withdrawing deletes the data that the consent covered.
 * Idempotent.
 */
export async function changeConsent(
  platform: Platform,
  viewerId: string,
  { purpose, granted }: { purpose: Changeable; granted: boolean },
  forgetLearned: (userId: string) => Promise<void>,
): Promise<{ consents: Consent[] }> {
  await transaction(platform, async (tx) => {
    // Locks the profile before the consents, like the triggers that record a consent: the same order avoids deadlocks.
    if (!granted) await withdraw[purpose](tx, viewerId)
    else if (purpose === 'learning') await setLearning(tx.db, viewerId, true)
    await putConsent(tx.db, viewerId, { purpose, granted, now: tx.clock.now() })
  })
  if (purpose === 'learning' && !granted) await forgetLearned(viewerId)
  return listConsents(platform, viewerId)
}
