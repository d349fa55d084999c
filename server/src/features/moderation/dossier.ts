import type { Dossier, LinkedAccount } from '@duet/contract/moderation.ts'
import { shownAge } from '../../platform/age.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../audit/actor.ts'
import { recordInAudit } from '../audit/audit.ts'
import { ownPhotoView } from '../photos/photos.ts'
import { findSanctionsOf } from '../sanctions/sanctions.queries.ts'
import { judgedView, strikesOf } from '../sanctions/sanctions.ts'
import { findDossier } from './dossier.queries.ts'

const mostSanctions = 50

/** Finds accounts that seem to belong to the same person. Another feature implements it. */
export type LinkedWith = (tx: Tx, userId: string) => Promise<LinkedAccount[]>

interface Look {
  userId: string
  reason: string
  linkedWith: LinkedWith
}

/**
 * The facts about a person that an administrator may see. Records the view and its reason before it returns them.
 * Throws not found; forbidden for the actor's own dossier, which would reveal reports about them.
 */
export async function getDossier(platform: Platform, actor: Actor, look: Look): Promise<Dossier> {
  const { userId, reason } = look
  if (!isUuid(userId)) throw notFound()
  if (userId === actor.id) throw new AppError('forbidden', 'This is your own dossier. Only others can see it.')
  return transaction(platform, async (tx) => {
    const row = await findDossier(tx.db, actor.id, userId)
    if (!row) throw notFound()
    const sanctions = await findSanctionsOf(tx.db, userId, mostSanctions)
    const strikes = await strikesOf(tx, [userId])
    // A link to the viewer's own account would reveal that someone has blocked them.
    const linked = (await look.linkedWith(tx, userId)).filter(({ person }) => person.id !== actor.id)
    const { id: actorId, requestId } = actor
    const target = { kind: 'person', id: userId }
    const details = linked.length > 0 ? { linked: linked.map(({ person }) => person.id) } : {}
    await recordInAudit(tx, { actorId, action: 'dossier_viewed', target, reason, details, requestId })
    return {
      id: row.id,
      name: row.name,
      age: shownAge(row.birth_date, tx.clock.now()),
      area: row.area,
      verified: row.verified,
      isSuperAdmin: row.is_super_admin,
      standing: row.standing,
      standingUntil: row.standing_until?.toISOString() ?? null,
      createdAt: row.created_at.toISOString(),
      photos: row.photos.map((photo) => ownPhotoView(platform, actor.id, photo)),
      strikes: strikes(userId),
      sanctions: sanctions.map(judgedView),
      reportsAbout: row.about,
      reportsBy: row.by,
      linked,
    }
  })
}
