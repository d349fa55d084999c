import * as contract from '@duet/contract/safety.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Serve } from '../../platform/serve.ts'
import { blockUser, listBlocks, unblockUser } from './safety.ts'

/** `onBlocked` runs once a block is kept, for what must happen at once on live connections. */
export function safetyRoutes(serve: Serve, platform: Platform, onBlocked: (a: string, b: string) => void): void {
  serve(contract.listBlocks, async (_input, { viewer }) => ({ users: await listBlocks(platform, viewer.id) }))
  serve(contract.blockUser, async ({ params }, { viewer }) => {
    await blockUser(platform, viewer.id, params.userId, onBlocked)
    return { ok: true } as const
  })
  serve(contract.unblockUser, async ({ params }, { viewer }) => {
    await unblockUser(platform, viewer.id, params.userId)
    return { ok: true } as const
  })
}
