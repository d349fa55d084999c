import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms } from '../../platform/platform.ts'
import { mailCheckIn } from './check-in-mail.ts'
import { watchDates } from './date-watch.ts'

export const dateJobs = ({ platform }: JobPlatforms): JobSpec[] => [
  { name: 'mail-check-in', waitsFor: 'mail', run: (payload) => mailCheckIn(platform, (payload as { id: string }).id) },
  { name: 'watch-dates', cron: '* * * * *', run: () => watchDates(platform) },
]
