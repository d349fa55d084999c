import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms } from '../../platform/platform.ts'
import { eraseDue, mailErasure } from './erasure.ts'
import { makeExport, sweepExports } from './export.ts'
import { endRetention } from './retention.ts'

type ErasurePayload = Parameters<typeof mailErasure>[1]

export const dataRightsJobs = ({ asOwner, platform }: JobPlatforms): JobSpec[] => [
  { name: 'mail-erasure', waitsFor: 'mail', run: (payload) => mailErasure(platform, payload as ErasurePayload) },
  { name: 'erase-due', cron: '*/10 * * * *', mayHang: true, run: () => eraseDue(asOwner) },
  {
    name: 'make-export',
    waitsFor: 'files',
    run: (payload) => makeExport(asOwner, (payload as { userId: string }).userId),
  },
  { name: 'end-retention', cron: '13 4 * * *', mayHang: true, run: () => endRetention(asOwner) },
  { name: 'sweep-exports', cron: '27 * * * *', mayHang: true, run: () => sweepExports(asOwner) },
]
