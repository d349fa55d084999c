import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms } from '../../platform/platform.ts'
import { forgetExpiredProofs } from './identities.ts'

export const identityJobs = ({ asOwner }: JobPlatforms): JobSpec[] => [
  { name: 'forget-identity-proofs', cron: '27 * * * *', run: () => forgetExpiredProofs(asOwner) },
]
