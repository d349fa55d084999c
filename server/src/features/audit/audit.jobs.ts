import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms } from '../../platform/platform.ts'
import { watchChain } from './audit.ts'

export const auditJobs = ({ platform }: JobPlatforms): JobSpec[] => [
  { name: 'watch-audit-log', cron: '53 3 * * *', run: () => watchChain(platform) },
]
