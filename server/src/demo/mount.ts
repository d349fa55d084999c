import type { Base } from '../base.ts'
import { withLock } from '../platform/database/advisory-lock.ts'
import { untilAnswers } from '../platform/database/until-answers.ts'
import type { JobSpec } from '../platform/jobs/jobs.ts'
import type { Wires } from '../wires.ts'
import { demoRoutes } from './demo.routes.ts'
import { type DemoWorld, demoOnline, seedDemoWorld, welcome } from './demo.ts'
import { demoLikes } from './likes.ts'
import { demoReplies } from './replies.ts'

interface Demo {
  jobs: JobSpec[]
  open(): Promise<DemoWorld>
}

/** Without this call, nothing of the demo exists. */
export function mountDemo({ http, platform, locks }: Base, wires: Wires): Demo {
  demoRoutes(http, platform)
  const replies = demoReplies(platform, wires.sending)
  const likes = demoLikes(platform, wires.decisions, replies.onSent)
  platform.realtime.alsoOnline(demoOnline(platform.clock))
  wires.listen({
    onSent: replies.onSent,
    onLiked: likes.onLiked,
    onPlaced: (userId) => platform.jobs.add('welcome-to-demo', { userId }),
  })
  const welcomeJob: JobSpec = {
    name: 'welcome-to-demo',
    run: async (payload) => {
      const { userId } = payload as { userId: string }
      await welcome(platform, userId)
      await likes.onArrived(userId)
    },
  }
  const seed = () => withLock(locks, 'demo-world', () => seedDemoWorld(platform, locks))
  return { jobs: [welcomeJob, ...replies.jobs, ...likes.jobs], open: () => untilAnswers(platform.log, seed) }
}
