import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms } from '../../platform/platform.ts'
import { forgetExpired } from './accounts.ts'

export const accountJobs = ({ asOwner }: JobPlatforms): JobSpec[] => [
  { name: 'forget-expired', cron: '17 * * * *', run: () => forgetExpired(asOwner) },
]
