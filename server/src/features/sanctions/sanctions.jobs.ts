import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms } from '../../platform/platform.ts'
import { endOverdueSanctions, mailStatement } from './sanctions.ts'

export const sanctionJobs = ({ platform }: JobPlatforms): JobSpec[] => [
  { name: 'end-sanctions', cron: '* * * * *', run: () => endOverdueSanctions(platform) },
  {
    name: 'mail-statement',
    waitsFor: 'mail',
    run: (payload) => mailStatement(platform, (payload as { sanctionId: string }).sanctionId),
  },
]
