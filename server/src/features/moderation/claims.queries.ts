import type { ClaimKind } from '@duet/contract/claims.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database.ts'

export interface ClaimRow {
  target: string
  admin_id: string
  name: string
  until: Date
}

/** Takes or keeps a claim; false when somebody else has a live one. Of two at once one gets it. */
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

/** Live claims on some of `targets`. */
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
  report: sql`select receipt as target, reported_id as person from reports where state = 'open'`,
  photo: sql`select file_name as target, user_id as person from photos where state = 'pending'`,
  appeal: sql`select id::text as target, user_id as person from appeals where state = 'open'`,
  review: sql`select id::text as target, user_id as person from reviews where state = 'open'`,
  verification: sql`select id::text as target, user_id as person from verifications where state = 'waiting'`,
}

/** Whether there is such a thing to decide that is not about the viewer. */
export async function isOpen(db: Db, kind: ClaimKind, target: string, viewerId: string): Promise<boolean> {
  const { rows } = await sql`select from (${open[kind]}) open
    where target = ${target} and person is distinct from ${viewerId}::uuid`.execute(db)
  return rows.length > 0
}
