import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

/** Needs the rights of the database's owner. Undefined if nothing changes. */
export async function setRights(owner: Db, email: string, isSuperAdmin: boolean): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    update accounts set is_super_admin = ${isSuperAdmin} where email = ${email}
      and is_super_admin <> ${isSuperAdmin} returning id`.execute(owner)
  return rows[0]?.id
}

export async function wereRevoked(owner: Db, email: string): Promise<boolean> {
  const { rows } = await sql<{ action: string }>`
    select l.action from audit_log l join accounts a on l.target ->> 'id' = a.id::text
    where a.email = ${email} and l.action in ('rights_granted', 'rights_revoked')
    order by l.seq desc limit 1`.execute(owner)
  return rows[0]?.action === 'rights_revoked'
}

export async function accountExists(owner: Db, email: string): Promise<boolean> {
  const row = await owner.selectFrom('accounts').select('id').where('email', '=', email).executeTakeFirst()
  return row !== undefined
}

export async function dropPowers(owner: Db, userId: string): Promise<void> {
  await owner.deleteFrom('sessions').where('user_id', '=', userId).execute()
  await owner.deleteFrom('claims').where('admin_id', '=', userId).execute()
}

export async function findAdministrators(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('accounts')
    .select('email')
    .where('is_super_admin', '=', true)
    .orderBy('email')
    .execute()
  return rows.map(({ email }) => email)
}
