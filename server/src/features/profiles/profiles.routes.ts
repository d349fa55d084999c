import * as contract from '@duet/contract/profiles.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { getProfile } from './cards.ts'
import { getMyDetails, updateUser } from './profiles.ts'

/**
 * `forgetLearned` deletes what ranking has learned from someone who opts out; `onPhotosChanged` runs after a person has
 * reordered their photos.
 */
export function profileRoutes(
  serve: Serve,
  platform: Platform,
  forgetLearned: (userId: string) => Promise<void>,
  onPhotosChanged: (userId: string) => Promise<void>,
): void {
  serve(contract.getMyDetails, (_input, { viewer }) => getMyDetails(platform, viewer.id))
  serve(contract.updateUser, async ({ body }, { viewer }) => {
    const details = await updateUser(platform, viewer.id, body)
    if (body.learnFromMe === false) await forgetLearned(viewer.id)
    if (body.images) await onPhotosChanged(viewer.id)
    return details
  })
  serve(contract.getUser, ({ params }, { viewer }) => getProfile(platform, viewer.id, params.id))
}
