import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms } from '../../platform/platform.ts'
import { sweepAttachments } from './attachments.ts'

export const conversationJobs = ({ platform }: JobPlatforms): JobSpec[] => [
  { name: 'sweep-attachments', cron: '47 * * * *', mayHang: true, run: () => sweepAttachments(platform) },
]
