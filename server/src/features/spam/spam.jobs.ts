import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms } from '../../platform/platform.ts'
import { forgetAlike } from './alike.ts'
import { forgetLinks } from './linked.ts'

export const spamJobs = ({ platform }: JobPlatforms): JobSpec[] => [
  { name: 'forget-links', cron: '33 4 * * *', run: () => forgetLinks(platform) },
  { name: 'forget-alike', cron: '*/20 * * * *', run: () => forgetAlike(platform) },
]
