import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms } from '../../platform/platform.ts'
import { eraseDue } from './erasure.ts'
import { makeExport, sweepExports } from './export.ts'
import { endRetention } from './retention.ts'

export const dataRightsJobs = ({ asOwner }: JobPlatforms): JobSpec[] => [
  { name: 'erase-due', cron: '*/10 * * * *', run: () => eraseDue(asOwner) },
  {
    name: 'make-export',
    waitsFor: 'files',
    run: (payload) => makeExport(asOwner, (payload as { userId: string }).userId),
  },
  { name: 'end-retention', cron: '13 4 * * *', run: () => endRetention(asOwner) },
  { name: 'sweep-exports', cron: '27 * * * *', run: () => sweepExports(asOwner) },
]
