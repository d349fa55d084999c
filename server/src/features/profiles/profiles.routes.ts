import * as contract from '@duet/contract/profiles.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Serve } from '../../platform/serve.ts'
import { getMyDetails, getUser, updateUser } from './profiles.ts'

const visits = { name: 'profile_visits', points: 120, seconds: 60 }

export function profileRoutes(serve: Serve, platform: Platform): void {
  serve(contract.getMyDetails, (_input, { viewer }) => getMyDetails(platform, viewer.id))
  serve(contract.updateUser, ({ body }, { viewer }) => updateUser(platform, viewer.id, body))
  serve(contract.getUser, async ({ params }, { viewer }) => {
    await platform.limits.spendHere(visits, viewer.id)
    return getUser(platform, viewer.id, params.id)
  })
}
