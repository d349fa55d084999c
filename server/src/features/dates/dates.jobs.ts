import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms } from '../../platform/platform.ts'
import { mailCheckIn } from './check-in-mail.ts'
import { askCheckIns, tellContacts } from './date-watch.ts'

export const dateJobs = ({ platform }: JobPlatforms): JobSpec[] => [
  {
    name: 'mail-check-in',
    waitsFor: 'checkInMail',
    run: (payload) => mailCheckIn(platform, (payload as { id: string }).id),
  },
  { name: 'watch-dates', cron: '* * * * *', run: () => askCheckIns(platform) },
  { name: 'tell-contacts', cron: '* * * * *', mayHang: true, run: () => tellContacts(platform) },
]
