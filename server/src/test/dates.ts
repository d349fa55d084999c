import { askCheckIns, tellContacts } from '../features/dates/date-watch.ts'
import type { Platform } from '../platform/platform.ts'

/** Runs the jobs for dates that are scheduled every minute. */
export async function watchDates(platform: Platform): Promise<void> {
  await askCheckIns(platform)
  await tellContacts(platform)
}
