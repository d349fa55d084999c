import * as contract from '@duet/contract/claims.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { claimItem, releaseItem } from './claims.ts'

export function claimRoutes(serve: Serve, platform: Platform): void {
  serve(contract.claim, ({ params }, { viewer }) => claimItem(platform, viewer.id, params.kind, params.id))
  serve(contract.release, async ({ params }, { viewer }) => {
    await releaseItem(platform, viewer.id, params.kind, params.id)
    return { ok: true } as const
  })
}
