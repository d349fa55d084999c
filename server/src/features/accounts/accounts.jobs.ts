import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms } from '../../platform/platform.ts'
import { forgetExpired } from './accounts.ts'
import { mailNotice } from './notices.ts'

type NoticePayload = Parameters<typeof mailNotice>[1]

export const accountJobs = ({ asOwner, platform }: JobPlatforms): JobSpec[] => [
  {
    name: 'mail-account-notice',
    waitsFor: 'mail',
    run: (payload) => mailNotice(platform, payload as NoticePayload),
  },
  { name: 'forget-expired', cron: '17 * * * *', run: () => forgetExpired(asOwner) },
]
