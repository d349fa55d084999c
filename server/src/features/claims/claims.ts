import type { Claim, ClaimKind } from '@duet/contract/claims.ts'
import { after, minutes } from '../../platform/clock.ts'
import { AppError, conflict, notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms, Platform } from '../../platform/platform.ts'
import {
  type ClaimRow,
  deleteClaim,
  deleteClaimsBefore,
  findClaims,
  isOpen,
  isParty,
  putClaim,
} from './claims.queries.ts'

const life = minutes(10)

type Looking = Pick<Platform, 'db' | 'clock'>

const claimView = (row: ClaimRow): Claim => ({
  by: { id: row.admin_id, name: row.name },
  until: row.until.toISOString(),
})

/** Returns a function that looks up the claim on each of `targets`; null if there is none. */
export async function claimsOn(
  { db, clock }: Looking,
  kind: ClaimKind,
  targets: readonly string[],
): Promise<(target: string) => Claim | null> {
  const rows = targets.length > 0 ? await findClaims(db, kind, targets, clock.now()) : []
  const byTarget = new Map(rows.map((row) => [row.target, claimView(row)]))
  return (target) => byTarget.get(target) ?? null
}

/**
 * Claims a case for the administrator who is deciding it, if they haven't already. Throws forbidden if they are
 * involved in the case, and conflict with the other administrator's name if someone else has claimed it.
 */
export async function requireClaim(tx: Looking, kind: ClaimKind, target: string, adminId: string): Promise<void> {
  if (await isParty(tx.db, kind, target, adminId))
    throw new AppError('forbidden', 'Someone else decides this, because you have a part in it.')
  await takeClaim(tx, kind, target, adminId)
}

/** Like `requireClaim`, but also works for administrators who are involved in the case. */
export async function takeClaim(tx: Looking, kind: ClaimKind, target: string, adminId: string): Promise<void> {
  const now = tx.clock.now()
  if (await putClaim(tx.db, { kind, target, adminId, now, until: after(now, life) })) return
  const claim = (await claimsOn(tx, kind, [target]))(target)
  throw conflict(`${claim?.by.name ?? 'Someone else'} is deciding this.`)
}

export function dropClaim(tx: Looking, kind: ClaimKind, target: string, adminId: string): Promise<void> {
  return deleteClaim(tx.db, kind, target, adminId)
}

const hasUuid = (kind: ClaimKind) => kind !== 'report' && kind !== 'photo'

/**
 * Claims an item for ten minutes, or renews the claim. Throws not found if it isn't open, and conflict if another
 * administrator has claimed it.
 */
export async function claimItem(platform: Platform, viewerId: string, kind: ClaimKind, target: string): Promise<Claim> {
  if (hasUuid(kind) && !isUuid(target)) throw notFound()
  if (!(await isOpen(platform.db, kind, target, viewerId))) throw notFound()
  await requireClaim(platform, kind, target, viewerId)
  const claim = (await claimsOn(platform, kind, [target]))(target)
  if (!claim) throw notFound()
  return claim
}

export async function releaseItem(
  platform: Platform,
  viewerId: string,
  kind: ClaimKind,
  target: string,
): Promise<void> {
  await dropClaim(platform, kind, target, viewerId)
}

function forgetClaims({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  return deleteClaimsBefore(db, clock.now())
}

export const claimJobs = ({ platform }: JobPlatforms): JobSpec[] => [
  { name: 'forget-claims', cron: '57 * * * *', run: () => forgetClaims(platform) },
]
