import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms } from '../../platform/platform.ts'
import { recountEverybody } from './pending.ts'

export const likeJobs = ({ asOwner }: JobPlatforms): JobSpec[] => [
  { name: 'recount-likes', cron: '53 2 * * *', run: () => recountEverybody(asOwner) },
]
