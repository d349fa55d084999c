import { promised } from '@duet/contract/promised.ts'
import { after, days } from '../../platform/clock.ts'
import { keepMonths } from '../../platform/database/months.ts'
import type { Platform } from '../../platform/platform.ts'

/** Training looks for the cards of decisions as old as it reads; some were shown long before they were decided on. */
const keptDays = promised.shownDays

/** Drops the months of impressions that nothing learns from any more, and makes those to come. Run as the owner. */
export async function keepImpressions({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  await keepMonths(db, { table: 'impressions', column: 'deck_at' }, now, after(now, -days(keptDays)))
}
