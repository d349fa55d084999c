import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms } from '../../platform/platform.ts'
import { announceNewcomer } from './discovery.ts'
import { keepImpressions } from './impressions.ts'

export const discoveryJobs = ({ platform, asOwner }: JobPlatforms): JobSpec[] => [
  { name: 'announce-newcomer', run: (payload) => announceNewcomer(platform, (payload as { userId: string }).userId) },
  { name: 'keep-impressions', cron: '41 3 * * *', run: () => keepImpressions(asOwner) },
]
