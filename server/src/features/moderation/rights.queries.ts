import { sql } from 'kysely'
import type { Db } from '../../platform/database.ts'

/** Makes the account of an address a super administrator, or none any more; undefined when it is so already. Of the owner. */
export async function setRights(owner: Db, email: string, isSuperAdmin: boolean): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    update accounts set is_super_admin = ${isSuperAdmin} where email = ${email.toLowerCase()}
      and is_super_admin <> ${isSuperAdmin} returning id`.execute(owner)
  return rows[0]?.id
}

export async function accountExists(owner: Db, email: string): Promise<boolean> {
  const row = await owner
    .selectFrom('accounts')
    .select('id')
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst()
  return row !== undefined
}

/** Signs somebody out everywhere and gives back what they had claimed. */
export async function dropPowers(owner: Db, userId: string): Promise<void> {
  await owner.deleteFrom('sessions').where('user_id', '=', userId).execute()
  await owner.deleteFrom('claims').where('admin_id', '=', userId).execute()
}
