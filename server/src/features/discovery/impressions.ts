import { promised } from '@duet/contract/promised.ts'
import { after, days } from '../../platform/clock.ts'
import { keepMonths } from '../../platform/database/months.ts'
import type { Platform } from '../../platform/platform.ts'

/** Training reads the cards of old decisions, some of which were shown long before the decision. */
const keptDays = promised.shownDays

/** Drops months of impressions that nothing learns from anymore, and creates future ones. Run it as the owner. */
export async function keepImpressions({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  await keepMonths(db, { table: 'impressions', column: 'deck_at' }, now, after(now, -days(keptDays)))
}
