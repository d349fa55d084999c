import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms, Platform } from '../../platform/platform.ts'
import { addToldSheet, deleteToldBefore, findToldSheets, withdrawToldSheets } from './told-sheets.queries.ts'

/** Answers that determine the agreement shown from `since` on (in milliseconds). */
export interface ToldSheet {
  sheet: Uint8Array
  since: number
}

const mostADay = 50

/** `YYYY-MM-DD` in UTC. */
export const dayOf = (now: Date): string => now.toISOString().slice(0, 10)

type Looking = Pick<Platform, 'db' | 'pool' | 'clock'>

/**
 * Today's sheets for showing agreement with these people, oldest first: the sheet from before the day's first change,
 * then those added by `tellNow`. Empty for people who have withdrawn their answers. Read from the database, so that all
 * nodes agree.
 */
export async function toldSheetsOf(
  platform: Looking,
  sheets: ReadonlyMap<string, Uint8Array>,
): Promise<Map<string, ToldSheet[]>> {
  // Read after `sheets`, because a change in between has already stored its earlier sheet.
  const rows = await findToldSheets(platform.pool, [...sheets.keys()], dayOf(platform.clock.now()))
  const told = new Map<string, ToldSheet[]>(rows.map((row) => [row.user_id, []]))
  for (const { user_id, sheet, since } of rows) if (sheet) told.get(user_id)?.push({ sheet, since: since.getTime() })
  for (const [id, sheet] of sheets) if (!told.has(id)) told.set(id, [{ sheet, since: 0 }])
  return told
}

export async function tellNow(
  { db, clock }: Looking,
  userId: string,
  sheet: Uint8Array,
  told: readonly ToldSheet[],
): Promise<void> {
  const since = clock.now()
  if (told.length > mostADay) return
  await addToldSheet(db, { user_id: userId, day: dayOf(since), nth: told.length, since, sheet: Buffer.from(sheet) })
}

/**
 * Deletes today's sheets of a person whose answers were just deleted. Answers they give later today show no agreement.
 */
export const withdrawTold = (
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  userId: string,
  hadAnswers: boolean,
): Promise<void> => withdrawToldSheets(db, userId, dayOf(clock.now()), hadAnswers)

export const forgetTold = ({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> =>
  deleteToldBefore(db, dayOf(clock.now()))

export const questionJobs = ({ asOwner }: JobPlatforms): JobSpec[] => [
  { name: 'forget-told-sheets', cron: '3 * * * *', run: () => forgetTold(asOwner) },
]
