import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms } from '../../platform/platform.ts'
import { announceNewcomer } from './discovery.ts'

export const discoveryJobs = ({ platform }: JobPlatforms): JobSpec[] => [
  { name: 'announce-newcomer', run: (payload) => announceNewcomer(platform, (payload as { userId: string }).userId) },
]
