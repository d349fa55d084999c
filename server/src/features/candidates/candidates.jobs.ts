import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms } from '../../platform/platform.ts'
import { forgetChanges } from './keep-index.ts'

export const candidateJobs = ({ asOwner }: JobPlatforms): JobSpec[] => [
  { name: 'forget-changes', cron: '37 * * * *', run: () => forgetChanges(asOwner) },
]
