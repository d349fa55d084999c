import { askCheckIns, tellContacts } from '../features/dates/date-watch.ts'
import type { Platform } from '../platform/platform.ts'

/** What the clock does about dates every minute. */
export async function watchDates(platform: Platform): Promise<void> {
  await askCheckIns(platform)
  await tellContacts(platform)
}
