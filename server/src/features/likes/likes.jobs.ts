import { after, days } from '../../platform/clock.ts'
import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms } from '../../platform/platform.ts'
import { deleteNews } from './likes.queries.ts'
import { type IsFoundOut, releaseArrived, releaseMoved } from './moved.ts'
import { recountEverybody } from './pending.ts'

export const likeJobs = ({ platform, asOwner }: JobPlatforms, isFoundOut: IsFoundOut): JobSpec[] => [
  { name: 'recount-likes', cron: '53 2 * * *', run: () => recountEverybody(asOwner) },
  {
    name: 'forget-like-news',
    cron: '23 4 * * *',
    run: () => deleteNews(asOwner.db, after(platform.clock.now(), -days(1))),
  },
  {
    name: 'release-moved-likes',
    cron: '*/5 * * * *',
    async run(payload) {
      const { userId } = payload as { userId?: string }
      await (userId ? releaseMoved(platform, userId, isFoundOut) : releaseArrived(platform, isFoundOut))
    },
  },
]
