import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms } from '../../platform/platform.ts'
import { publishMoves } from './places.ts'

export const placeJobs = ({ platform }: JobPlatforms): JobSpec[] => [
  { name: 'publish-moves', cron: '0,30 * * * *', run: () => publishMoves(platform) },
]
