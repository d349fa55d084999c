import type { ClaimKind } from '@duet/contract/claims.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { mayDecide } from './parties.queries.ts'

export interface ClaimRow {
  target: string
  admin_id: string
  name: string
  until: Date
}

/**
 * Creates or renews a claim. Returns false if another administrator has claimed the case. Of several concurrent calls,
 * only one succeeds.
 */
export async function putClaim(
  db: Db,
  claim: { kind: ClaimKind; target: string; adminId: string; now: Date; until: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into claims (kind, target, admin_id, until) values (${claim.kind}, ${claim.target}, ${claim.adminId}, ${claim.until})
    on conflict (kind, target) do update set admin_id = excluded.admin_id, until = excluded.until
    where claims.admin_id = excluded.admin_id or claims.until <= ${claim.now}
    returning 1`.execute(db)
  return rows.length > 0
}

export async function findClaims(db: Db, kind: ClaimKind, targets: readonly string[], now: Date): Promise<ClaimRow[]> {
  const { rows } = await sql<ClaimRow>`
    select c.target, c.admin_id, p.name, c.until from claims c join profiles p on p.user_id = c.admin_id
    where c.kind = ${kind} and c.target = any(${targets}::text[]) and c.until > ${now}`.execute(db)
  return rows
}

export async function deleteClaim(db: Db, kind: ClaimKind, target: string, adminId: string): Promise<void> {
  await db
    .deleteFrom('claims')
    .where('kind', '=', kind)
    .where('target', '=', target)
    .where('admin_id', '=', adminId)
    .execute()
}

export async function deleteClaimsBefore(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('claims').where('until', '<=', now).execute()
}

const open = {
  report: sql`select from reports where receipt = target and state = 'open'`,
  photo: sql`select from photos where file_name = target and state = 'pending'`,
  appeal: sql`select from appeals where id = target::uuid and state = 'open'`,
  review: sql`select from reviews where id = target::uuid and state = 'open'`,
  verification: sql`select from verifications where id = target::uuid and state = 'waiting'`,
}

/** Whether a case is open and the viewer may decide it. */
export async function isOpen(db: Db, kind: ClaimKind, target: string, viewerId: string): Promise<boolean> {
  const { rows } = await sql`select from (values (${target}::text)) asked (target)
    where exists (${open[kind]}) and ${mayDecide(kind, sql`target`, viewerId)}`.execute(db)
  return rows.length > 0
}

/** Whether the viewer is involved in a case, open or not. */
export async function isParty(db: Db, kind: ClaimKind, target: string, viewerId: string): Promise<boolean> {
  const { rows } = await sql<{ party: boolean }>`
    select ${viewerId}::uuid = any(case_parties(${kind}, ${target})) as party`.execute(db)
  return rows[0]?.party === true
}

/** Stores a review of a person. If one of the same kind is open, only its note is updated. */
export async function putReview(
  db: Db,
  review: { kind: string; userId: string; note: string; now: Date },
): Promise<void> {
  await sql`insert into reviews (kind, user_id, note, created_at)
    values (${review.kind}, ${review.userId}, ${review.note}, ${review.now})
    on conflict (user_id, kind) where state = 'open' do update set note = excluded.note`.execute(db)
}
