import type { SanctionKind } from '@duet/contract/sanctions.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

/**
 * An account's mailbox, and its identities at sign-in providers. Undefined for administrators, who get no automatic
 * sanctions.
 */
export async function findReachable(db: Db, userId: string) {
  const { rows } = await sql<{ email: string; language: string; identities: { issuer: string; subject: string }[] }>`
    select email, language, coalesce((
      select json_agg(json_build_object('issuer', issuer, 'subject', subject)) from identities where user_id = a.id), '[]')
      as identities
    from accounts a where id = ${userId} and not is_super_admin`.execute(db)
  return rows[0]
}

export interface KeptSanction {
  kind: SanctionKind
  until: Date | null
  led_by: string[]
}

/** Finds the sanction of each kind that lasts longest, among those stored for any of these mailboxes. */
export async function findKeptSanctions(db: Db, values: readonly Buffer[], now: Date): Promise<KeptSanction[]> {
  const { rows } = await sql<KeptSanction>`
    with every as (
      select s.kind, until, array_remove(s.decided_by || s.led_by, null) as led_by
      from kept_sanctions join sanctions s on s.id = sanction_id where value = any(${values}::bytea[])
      union all select 'ban', until, '{}' from banned_addresses where value = any(${values}::bytea[])),
    kept as (select * from every where until is null or until > ${now})
    select distinct on (kind) kind, until,
      array(select distinct unnest(o.led_by) from kept o where o.kind = kept.kind) as led_by
    from kept order by kind, until desc nulls first`.execute(db)
  return rows
}

/**
 * Replaces all sanctions of one kind that are stored for these mailboxes with a new one. Also stores the new one for
 * the other mailboxes of the replaced sanctions.
 */
export async function moveKept(
  db: Db,
  values: readonly Buffer[],
  { id, kind, until }: KeptSanction & { id: string },
): Promise<void> {
  await sql`
    with chosen as (
      select sanction_id from kept_sanctions join sanctions s on s.id = sanction_id
      where value = any(${values}::bytea[]) and s.kind = ${kind}),
    gone as (delete from kept_sanctions where sanction_id in (select sanction_id from chosen) returning value),
    banned as (
      delete from banned_addresses where value = any(${values}::bytea[]) and ${kind}::text = 'ban' returning value)
    insert into kept_sanctions (value, until, sanction_id) select value, ${until}::timestamptz, ${id}::uuid
    from (select value from gone union select value from banned) moved on conflict do nothing`.execute(db)
}

/** Replaces hashes made with earlier keys by the hash made with the current key, which comes first. */
export async function renewMailbox(db: Db, [newest, ...before]: readonly Buffer[]): Promise<void> {
  await sql`
    with gone as (delete from kept_sanctions where value = any(${before}::bytea[]) returning until, sanction_id)
    insert into kept_sanctions (value, until, sanction_id) select ${newest}::bytea, until, sanction_id from gone
    on conflict do nothing`.execute(db)
  await sql`
    with gone as (delete from banned_addresses where value = any(${before}::bytea[]) returning until)
    insert into banned_addresses (value, until) select ${newest}::bytea, until from gone
    order by until desc nulls first limit 1
    on conflict (value) do update set until = case when banned_addresses.until is null or excluded.until is null then null
      else greatest(banned_addresses.until, excluded.until) end`.execute(db)
  await sql`
    with gone as (delete from reported_mailboxes where value = any(${before}::bytea[]) returning report_id)
    insert into reported_mailboxes (report_id, value) select distinct report_id, ${newest}::bytea from gone
    on conflict do nothing`.execute(db)
}

export async function findUsersOfKeptSanction(db: Db, sanctionId: string): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from kept_sanctions k join (
      select user_id, value from account_signals where kind = 'address'
      union select user_id, value from earlier_mailboxes) has on has.value = k.value
    where k.sanction_id = ${sanctionId} group by user_id`.execute(db)
  return rows.map(({ user_id }) => user_id)
}

/**
 * Deletes mailboxes whose sanction has ended, and mailboxes stored for reports that are decided or older than
 * `reportsBefore`.
 */
export async function deleteKeptBefore(db: Db, now: Date, reportsBefore: Date): Promise<void> {
  await db.deleteFrom('kept_sanctions').where('until', '<=', now).execute()
  await db.deleteFrom('banned_addresses').where('until', '<=', now).execute()
  await sql`delete from reported_mailboxes m using reports r
    where r.id = m.report_id and (r.state <> 'open' or r.created_at < ${reportsBefore})`.execute(db)
}
