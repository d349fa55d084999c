import type { ClaimKind } from '@duet/contract/claims.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

export interface ClaimRow {
  target: string
  admin_id: string
  name: string
  until: Date
}

/** Takes or keeps a claim; false when another administrator has a live one. Of two at once one gets it. */
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

/** What waits, and who may not decide it: the person it is about, who reported it, whose decision is appealed. */
const open = {
  report: sql`select receipt as target, array[reported_id, reporter_id] as parties from reports where state = 'open'`,
  photo: sql`select file_name as target, array[user_id] as parties from photos where state = 'pending'`,
  appeal: sql`select a.id::text as target, array[a.user_id, s.decided_by] as parties
    from appeals a join sanctions s on s.id = a.sanction_id where a.state = 'open'`,
  review: sql`select id::text as target, array[user_id] as parties from reviews where state = 'open'`,
  verification: sql`select id::text as target, array[user_id] as parties from verifications where state = 'waiting'`,
}

/** Whether there is such a thing that the viewer may decide: only those who may decide it can claim it. */
export async function isOpen(db: Db, kind: ClaimKind, target: string, viewerId: string): Promise<boolean> {
  const { rows } = await sql`select from (${open[kind]}) open
    where target = ${target} and array_position(parties, ${viewerId}::uuid) is null`.execute(db)
  return rows.length > 0
}
