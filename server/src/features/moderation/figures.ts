import type { ModerationFigures } from '@duet/contract/moderation.ts'
import { after, days } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'
import { countAppeals, findDecisions, findQueues, findWeeks } from './figures.queries.ts'

const severities = ['urgent', 'high', 'normal'] as const
const weeksShown = 12
const period = days(90)

/** The age of each queue's oldest open case in seconds; 0 for an empty queue. */
export async function queueAges({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<Map<string, number>> {
  const ages = new Map<string, number>()
  for (const { kind, oldest } of await findQueues(db, null, clock.now()))
    ages.set(kind, Math.max(ages.get(kind) ?? 0, oldest ?? 0))
  return ages
}

/**
 * The age of the queues, the decisions and how long they took, and the share of successful appeals, without cases about
 * the viewer.
 */
export async function getFigures(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  viewerId: string,
): Promise<ModerationFigures> {
  const now = clock.now()
  const since = after(now, -period)
  const appeals = await countAppeals(db, since)
  return {
    queues: (await findQueues(db, viewerId, now)).map(({ kind, severity, open, oldest, median }) => ({
      kind,
      open,
      oldestAge: oldest,
      medianAge: median,
      severity: severity === null ? null : (severities[severity] ?? 'normal'),
    })),
    weeks: await findWeeks(db, viewerId, now, weeksShown),
    decisions: (await findDecisions(db, viewerId, since)).map(({ severity, decided, median }) => ({
      decided,
      medianTime: median,
      severity: severities[severity] ?? 'normal',
    })),
    appeals: { ...appeals, reversedShare: appeals.decided === 0 ? null : appeals.reversed / appeals.decided },
  }
}
