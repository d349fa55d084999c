import * as claims from '@duet/contract/claims.ts'
import * as contract from '@duet/contract/moderation.ts'
import { getStanding as standing } from '@duet/contract/sanctions.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Serve } from '../../platform/serve.ts'
import { verifyChain } from './audit.ts'
import { listAuditEntries } from './audit-list.ts'
import { claimItem, releaseItem } from './claims.ts'
import { getDossier, type LinkedWith } from './dossier.ts'
import { getFigures } from './figures.ts'
import { decidePhoto, listPhotosForReview } from './photo-review.ts'
import { decideReview, listReviews, type OnReviewDecided } from './reviews.ts'
import { actorOf } from './rulings.ts'
import { getStanding } from './standing.ts'

const chainReadings = { name: 'audit_verifications', points: 20, seconds: 3_600 }

interface Others {
  onDecided: OnReviewDecided
  linkedWith: LinkedWith
}

export function moderationRoutes(serve: Serve, platform: Platform, { onDecided, linkedWith }: Others): void {
  serve(contract.listPhotosForReview, ({ query }, { viewer }) => listPhotosForReview(platform, viewer.id, query))
  serve(contract.reviewPhoto, async ({ params, body }, call) => {
    await decidePhoto(platform, actorOf(call), params.fileName, body.state)
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
  serve(contract.getModerationFigures, () => getFigures(platform))
  serve(contract.listAuditEntries, ({ query }) => listAuditEntries(platform, query))
  serve(contract.verifyAuditLog, async (_input, { viewer }) => {
    await platform.limits.spendHere(chainReadings, viewer.id)
    return verifyChain(platform)
  })
  serve(claims.claim, ({ params }, { viewer }) => claimItem(platform, viewer.id, params.kind, params.id))
  serve(claims.release, async ({ params }, { viewer }) => {
    await releaseItem(platform, viewer.id, params.kind, params.id)
    return { ok: true } as const
  })
  serve(standing, (_input, { viewer }) => getStanding(platform, viewer.id))
}
