import * as contract from '@duet/contract/safety.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { type BlockHooks, blockUser, listBlocks, unblockUser } from './safety.ts'

export function safetyRoutes(serve: Serve, platform: Platform, { onBlocked, onUnblocked }: BlockHooks): void {
  serve(contract.listBlocks, async (_input, { viewer }) => ({ users: await listBlocks(platform, viewer.id) }))
  serve(contract.blockUser, async ({ params }, { viewer }) => {
    await blockUser(platform, viewer.id, params.userId, onBlocked)
    return { ok: true } as const
  })
  serve(contract.unblockUser, async ({ params }, { viewer }) => {
    await unblockUser(platform, viewer.id, params.userId, onUnblocked)
    return { ok: true } as const
  })
}
