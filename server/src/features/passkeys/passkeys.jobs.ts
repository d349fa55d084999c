import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms } from '../../platform/platform.ts'
import { forgetChallenges } from './passkeys.ts'

export const passkeyJobs = ({ asOwner }: Pick<JobPlatforms, 'asOwner'>): JobSpec[] => [
  { name: 'forget-challenges', cron: '19 * * * *', run: () => forgetChallenges(asOwner) },
]
