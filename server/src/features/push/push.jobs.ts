import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms } from '../../platform/platform.ts'
import { pushNotification } from './push.ts'

export const pushJobs = ({ platform }: Pick<JobPlatforms, 'platform'>): JobSpec[] => [
  {
    name: 'push',
    waitsFor: 'push',
    run: (payload) => pushNotification(platform, (payload as { id: string }).id),
  },
]
