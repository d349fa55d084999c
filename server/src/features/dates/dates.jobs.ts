import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms } from '../../platform/platform.ts'
import { watchDates } from './date-watch.ts'

export const dateJobs = ({ platform }: JobPlatforms): JobSpec[] => [
  { name: 'watch-dates', cron: '* * * * *', run: () => watchDates(platform) },
]
