import * as contract from '@duet/contract/profiles.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Serve } from '../../platform/serve.ts'
import { getMyDetails, getUser, updateUser } from './profiles.ts'

const visits = { name: 'profile_visits', points: 120, seconds: 60 }
const changes = { name: 'profile_changes', points: 120, seconds: 60 }

/**
 * `forgetLearned` forgets what ranking has learned from a person who does not want it to; `onPhotosChanged` runs once
 * somebody's photos are in another order.
 */
export function profileRoutes(
  serve: Serve,
  platform: Platform,
  forgetLearned: (userId: string) => Promise<void>,
  onPhotosChanged: (userId: string) => Promise<void>,
): void {
  serve(contract.getMyDetails, (_input, { viewer }) => getMyDetails(platform, viewer.id))
  serve(contract.updateUser, async ({ body }, { viewer }) => {
    await platform.limits.spendHere(changes, viewer.id)
    const details = await updateUser(platform, viewer.id, body)
    if (body.learnFromMe === false) await forgetLearned(viewer.id)
    if (body.images) await onPhotosChanged(viewer.id)
    return details
  })
  serve(contract.getUser, async ({ params }, { viewer }) => {
    await platform.limits.spendHere(visits, viewer.id)
    return getUser(platform, viewer.id, params.id)
  })
}
