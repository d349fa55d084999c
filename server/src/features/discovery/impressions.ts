import { promised } from '@duet/contract/promised.ts'
import { after, days } from '../../platform/clock.ts'
import { keepMonths } from '../../platform/database/months.ts'
import type { Platform } from '../../platform/platform.ts'

/**
 * Training uses the impressions that led to old decisions, and some decisions are made long after the card was shown.
 */
const keptDays = promised.shownDays

/**
 * Drops monthly partitions of impressions that training no longer uses, and creates future ones. Needs the owner's
 * connection.
 */
export async function keepImpressions({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  await keepMonths(db, { table: 'impressions', column: 'deck_at' }, now, after(now, -days(keptDays)))
}
