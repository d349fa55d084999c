import * as contract from '@duet/contract/moderation.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Serve } from '../../platform/serve.ts'
import { decidePhoto, listPhotosForReview } from './moderation.ts'

export function moderationRoutes(serve: Serve, platform: Platform): void {
  serve(contract.listPhotosForReview, ({ query }, { viewer }) => listPhotosForReview(platform, viewer.id, query))
  serve(contract.reviewPhoto, async ({ params, body }, { viewer }) => {
    await decidePhoto(platform, viewer.id, params.fileName, body.state)
    return { ok: true } as const
  })
}
