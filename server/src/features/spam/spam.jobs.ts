import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms, Platform } from '../../platform/platform.ts'
import { createHolding } from '../conversations/holding.ts'
import { showAnew } from '../presence/presence.ts'
import { forgetAlike } from './alike.ts'
import { continueForReturned, continueLater } from './banned.ts'
import { foldNames } from './folded-names.ts'
import { compareNewcomer, compareOthers, forgetLinks, type ReleaseLikes } from './linked.ts'
import { releaseDue, releaseSender } from './releasing.ts'

interface Likes {
  releaseLikes: ReleaseLikes
  findUnheardActors: Parameters<typeof releaseDue>[2]
}

/** Compares first. If the account is erased in between, the second step finds the sanctions it leaves behind. */
async function recognise(platform: Platform, userId: string): Promise<void> {
  await compareNewcomer(platform, userId)
  await continueLater(platform, userId)
}

export const spamJobs = ({ platform }: JobPlatforms, { releaseLikes, findUnheardActors }: Likes): JobSpec[] => {
  const onSettled = async (userId: string) => showAnew(platform, userId)
  const holding = createHolding(platform, { onHeld: () => undefined, onSettled })
  const releasing = { holding, releaseLikes }
  return [
    { name: 'recognise', run: (payload) => recognise(platform, (payload as { userId: string }).userId) },
    { name: 'compare-others', run: (payload) => compareOthers(platform, (payload as { userId: string }).userId) },
    {
      name: 'continue-sanction',
      run: (payload) => continueForReturned(platform, (payload as { sanctionId: string }).sanctionId),
    },
    { name: 'fold-names', cron: '*/5 * * * *', run: () => foldNames(platform) },
    { name: 'forget-links', cron: '33 4 * * *', run: () => forgetLinks(platform) },
    { name: 'forget-alike', cron: '*/20 * * * *', run: () => forgetAlike(platform) },
    {
      name: 'release-held',
      cron: '*/5 * * * *',
      async run(payload) {
        const { userId } = payload as { userId?: string }
        await (userId ? releaseSender(platform, userId, releasing) : releaseDue(platform, releasing, findUnheardActors))
        await holding.drain()
      },
    },
  ]
}
