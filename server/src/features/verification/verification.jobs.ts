import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms } from '../../platform/platform.ts'
import { sweepVerifications } from './sweep.ts'

export const verificationJobs = ({ platform }: JobPlatforms): JobSpec[] => [
  { name: 'sweep-verifications', cron: '7 * * * *', mayHang: true, run: () => sweepVerifications(platform) },
]
