import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms } from '../../platform/platform.ts'
import { mailAnswer } from './appeals.ts'

export const appealJobs = ({ platform }: JobPlatforms): JobSpec[] => [
  {
    name: 'mail-answer',
    waitsFor: 'mail',
    run: (payload) => mailAnswer(platform, (payload as { sanctionId: string }).sanctionId),
  },
]
