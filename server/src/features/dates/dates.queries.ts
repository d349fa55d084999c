import { type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { DB } from '../../platform/database/schema.ts'

export type DateRow = Selectable<DB['shared_dates']>
type Columns = Pick<DateRow, 'place' | 'at' | 'note' | 'check_in_at' | 'expires_at'>

export interface NewDate extends Columns {
  id: string
  user_id: string
  with_user_id: string | null
  token_hash: Buffer
  check_in_minutes: number | null
  contact_email: string | null
  created_at: Date
}

/** Whether a viewer sees a person. */
export async function isSeen(db: Db, viewerId: string, userId: string): Promise<boolean> {
  const { rows } = await sql<{ seen: boolean }>`select may_see(${viewerId}, ${userId}) as seen`.execute(db)
  return rows[0]?.seen ?? false
}

export async function insertDate(db: Db, date: NewDate): Promise<void> {
  await db.insertInto('shared_dates').values(date).execute()
}

/** A row, and the person it is about as long as its owner may see them. */
export type OwnDateRow = DateRow & { with_id: string | null; with_name: string | null }

/** The dates a person shares that are not over, next first. */
export async function findDates(db: Db, userId: string, now: Date): Promise<OwnDateRow[]> {
  const { rows } = await sql<OwnDateRow>`
    select d.*, w.user_id as with_id, w.name as with_name from shared_dates d
    left join profiles w on w.user_id = d.with_user_id and may_see(d.user_id, d.with_user_id)
    where d.user_id = ${userId} and d.expires_at > ${now} order by d.at, d.id limit 200`.execute(db)
  return rows
}

/** One of them, held until the transaction ends. */
export function lockDate(db: Db, userId: string, id: string, now: Date): Promise<DateRow | undefined> {
  return db
    .selectFrom('shared_dates')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst()
}

export async function updateSharedDate(
  db: Db,
  id: string,
  columns: Partial<Omit<DateRow, 'id' | 'user_id'>>,
): Promise<void> {
  await db.updateTable('shared_dates').set(columns).where('id', '=', id).execute()
}

export async function deleteDate(db: Db, id: string): Promise<void> {
  await db.deleteFrom('shared_dates').where('id', '=', id).execute()
}

export async function deleteOver(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('shared_dates').where('expires_at', '<=', now).execute()
}

export type OpenDateRow = DateRow & {
  name: string
  photo: string | null
  with_name: string | null
  with_photo: string | null
}

/**
 * A date by the hash of its link, with names and first photos as others see them. It goes on while its owner's account is
 * about to be erased. It has nothing of people its owner no longer sees; of a banned owner, only what their
 * contact is left with.
 */
export async function findOpenDate(
  db: Db,
  tokenHash: Buffer,
  shown: readonly string[],
  now: Date,
): Promise<OpenDateRow | undefined> {
  const first = (owner: string) => sql`(select file_name from photos i
    where i.user_id = ${sql.ref(owner)} and i.state = any(${shown}) order by position limit 1)`
  const { rows } = await sql<OpenDateRow>`
    select d.*, p.name, case when a.standing <> 'banned' then ${first('p.user_id')} end as photo,
      w.name as with_name, ${first('w.user_id')} as with_photo
    from shared_dates d
    join accounts a on a.id = d.user_id
    join profiles p on p.user_id = d.user_id
    left join profiles w on w.user_id = d.with_user_id and a.standing <> 'banned'
      and may_see(d.user_id, d.with_user_id)
    where d.token_hash = ${tokenHash} and d.expires_at > ${now}`.execute(db)
  return rows[0]
}

const unasked = (now: Date) => sql`asked_at is null and check_in_at <= ${now} and expires_at > ${now}`

/** The dates whose check-in is due and not asked for yet, oldest first. */
export async function findUnasked(db: Db, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from shared_dates where ${unasked(now)} order by check_in_at limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** One of them, held until the transaction ends; undefined when another process is at it or has asked meanwhile. */
export async function takeUnasked(db: Db, id: string, now: Date): Promise<DateRow | undefined> {
  const { rows } = await sql<DateRow>`
    select * from shared_dates where id = ${id} and ${unasked(now)} for update skip locked`.execute(db)
  return rows[0]
}

export interface AskedRow extends Pick<DateRow, 'check_in_at' | 'checked_in_at'> {
  user_id: string
  asked_at: Date
  contact_email: string | null
  email: string
  name: string
  language: string
}

/** A date whose check-in was asked for, and how to reach its owner. */
export async function findAsked(db: Db, id: string, now: Date): Promise<AskedRow | undefined> {
  const { rows } = await sql<AskedRow>`
    select d.user_id, d.asked_at, d.check_in_at, d.checked_in_at, d.contact_email, a.email, p.name, a.language
    from shared_dates d join accounts a on a.id = d.user_id join profiles p on p.user_id = d.user_id
    where d.id = ${id} and d.asked_at is not null and d.expires_at > ${now}`.execute(db)
  return rows[0]
}

export interface MissedRow {
  id: string
  user_id: string
  token_hash: Buffer
  contact_email: string
  check_in_at: Date
  checked_in_at: Date | null
  contact_tries: number
  name: string
  language: string
}

interface Waits {
  graceMinutes: number
  /** How long one try may take before the next one. */
  tryMinutes: number
}

const missed = (now: Date, { graceMinutes, tryMinutes }: Waits) => sql`
  d.contact_email is not null and d.expires_at > ${now}
    and d.check_in_at + make_interval(mins => ${graceMinutes}
      + least(d.contact_tries, 10) * least(d.contact_tries, 10) + greatest(d.contact_tries - 10, 0) * 15) <= ${now}
    and (d.contact_told_at is null or d.contact_told_at <= ${now}::timestamptz - make_interval(mins => ${tryMinutes}))`

/**
 * Missed check-ins whose contacts have not been mailed, those that were tried least first. After a mail that could not be
 * sent, each wait is longer than the one before, up to a quarter of an hour, until the date's page ends.
 */
export async function findMissed(db: Db, now: Date, waits: Waits, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select d.id from shared_dates d where ${missed(now, waits)}
    order by d.contact_tries, d.check_in_at limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** One of them, with one more try, noted as told; undefined when another process was faster or it is not needed any more. */
export async function takeMissed(db: Db, id: string, now: Date, waits: Waits): Promise<MissedRow | undefined> {
  const { rows } = await sql<MissedRow>`
    update shared_dates d set contact_tries = d.contact_tries + 1, contact_told_at = ${now}
    from profiles p join accounts a on a.id = p.user_id
    where d.id = ${id} and p.user_id = d.user_id and ${missed(now, waits)}
    returning d.id, d.user_id, d.token_hash, d.contact_email, d.check_in_at, d.checked_in_at, d.contact_tries, p.name,
      a.language`.execute(db)
  return rows[0]
}

/** Whether an address, under any of the forms it may be remembered in, wants no mails. */
export async function isDeclined(db: Db, addressMacs: readonly Buffer[]): Promise<boolean> {
  const row = await db
    .selectFrom('declined_contacts')
    .select('declined_at')
    .where('address_mac', 'in', addressMacs)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertDeclined(db: Db, addressMac: Buffer, now: Date): Promise<void> {
  await db
    .insertInto('declined_contacts')
    .values({ address_mac: addressMac, declined_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
