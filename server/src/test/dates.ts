import { askCheckIns, tellContacts } from '../features/dates/date-watch.ts'
import type { Platform } from '../platform/platform.ts'

/** Runs the minutely jobs for dates. */
export async function watchDates(platform: Platform): Promise<void> {
  await askCheckIns(platform)
  await tellContacts(platform)
}
