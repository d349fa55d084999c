import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms } from '../../platform/platform.ts'
import { learnWhatIsDue } from './learning.ts'
import { shiftNext } from './put-effects.ts'
import { trainModel } from './train-model.ts'

export const matchingJobs = ({ asOwner, locks }: JobPlatforms): JobSpec[] => [
  { name: 'learn', cron: '* * * * *', run: () => learnWhatIsDue(asOwner) },
  { name: 'shift-tallies', run: (payload) => shiftNext(asOwner, payload as Parameters<typeof shiftNext>[1]) },
  { name: 'train-model', cron: '23 3 * * *', run: () => trainModel(asOwner, locks).then(() => undefined) },
]
