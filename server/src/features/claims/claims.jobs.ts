import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms } from '../../platform/platform.ts'
import { forgetClaims } from './claims.ts'

export const claimJobs = ({ platform }: JobPlatforms): JobSpec[] => [
  { name: 'forget-claims', cron: '57 * * * *', run: () => forgetClaims(platform) },
]
