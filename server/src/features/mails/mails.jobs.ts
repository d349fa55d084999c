import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms } from '../../platform/platform.ts'
import { mailUntold } from './news.ts'

export const mailJobs = ({ platform }: Pick<JobPlatforms, 'platform'>): JobSpec[] => [
  { name: 'mail-news', cron: '*/10 * * * *', mayHang: true, run: () => mailUntold(platform) },
]
