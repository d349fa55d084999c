import * as contract from '@duet/contract/moderation.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { actorOf } from '../audit/actor.ts'
import { getDossier, type LinkedWith } from './dossier.ts'
import { getFigures } from './figures.ts'
import { decidePhoto, listPhotosForReview } from './photo-review.ts'
import { decideReview, listReviews, type OnReviewDecided } from './reviews.ts'

interface Others {
  onDecided: OnReviewDecided
  linkedWith: LinkedWith
}

export function moderationRoutes(serve: Serve, platform: Platform, { onDecided, linkedWith }: Others): void {
  serve(contract.listPhotosForReview, ({ query }, { viewer }) => listPhotosForReview(platform, viewer.id, query))
  serve(contract.reviewPhoto, async ({ params, body }, call) => {
    await decidePhoto(platform, actorOf(call), params.fileName, body)
    return { ok: true } as const
  })
  serve(contract.listReviews, ({ query }, { viewer }) => listReviews(platform, viewer.id, query))
  serve(contract.decideReview, async ({ params, body }, call) => {
    await decideReview(platform, actorOf(call), { id: params.id, ruling: body, onDecided })
    return { ok: true } as const
  })
  serve(contract.getDossier, ({ params, query }, call) =>
    getDossier(platform, actorOf(call), { userId: params.userId, reason: query.reason, linkedWith }),
  )
  serve(contract.getModerationFigures, (_input, { viewer }) => getFigures(platform, viewer.id))
}
