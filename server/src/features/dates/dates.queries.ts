import { type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { DB } from '../../platform/database/schema.ts'

export type DateRow = Selectable<DB['shared_dates']>
type Columns = Pick<DateRow, 'place' | 'at' | 'note' | 'check_in_at' | 'expires_at'>

export interface NewDate extends Columns {
  id: string
  user_id: string
  with_user_id: string | null
  with_name: string | null
  token_hash: Buffer
  check_in_minutes: number | null
  contact_email: string | null
  created_at: Date
}

const firstPhoto = (person: string, shown: readonly string[]) => sql`(select file_name from photos i
  where i.user_id = ${sql.ref(person)} and i.state = any(${shown}) order by position limit 1)`

/** A person's data as the viewer sees it; undefined if the viewer can't see them. */
export async function findCompany(
  db: Db,
  viewerId: string,
  userId: string,
  shown: readonly string[],
): Promise<{ name: string; photo: string | null } | undefined> {
  const { rows } = await sql<{ name: string; photo: string | null }>`
    select w.name, ${firstPhoto('w.user_id', shown)} as photo
    from profiles w where w.user_id = ${userId} and may_see(${viewerId}, w.user_id)`.execute(db)
  return rows[0]
}

/** Stores a date. If the other person has been erased in the meantime, the date doesn't refer to them. */
export async function insertDate(db: Db, { with_user_id, ...date }: NewDate): Promise<void> {
  const company = sql<string | null>`(select id from accounts where id = ${with_user_id} for key share)`
  await db
    .insertInto('shared_dates')
    .values({ ...date, with_user_id: company })
    .execute()
}

/** Stores a copy of a photo for a date's page, unless a reviewer has rejected the photo in the meantime. */
export async function insertPicture(db: Db, dateId: string, fileName: string, picture: Buffer): Promise<void> {
  await sql`
    insert into shared_date_photos (date_id, file_name, picture)
    select ${dateId}, file_name, ${picture} from photos where file_name = ${fileName} and state <> 'rejected'
    for share`.execute(db)
}

/**
 * A date with the other person's name, which is stored until the date ends, and their id if the date's owner may see
 * them.
 */
export type OwnDateRow = DateRow & { with_id: string | null }

export async function findDates(db: Db, userId: string, now: Date): Promise<OwnDateRow[]> {
  const { rows } = await sql<OwnDateRow>`
    select d.*, w.user_id as with_id, coalesce(d.with_name, w.name) as with_name from shared_dates d
    left join profiles w on w.user_id = d.with_user_id and may_see(d.user_id, d.with_user_id)
    where d.user_id = ${userId} and d.expires_at > ${now} order by d.at, d.id`.execute(db)
  return rows
}

/** Locks one of the person's current dates until the transaction ends. */
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
  with_picture: Buffer | null
  /** The other person's first photo, if there is no copy of it and the date's owner may see them. */
  with_photo: string | null
}

/**
 * Finds a date by the hash of its link. Shows its owner as other people see them now, and the other person as they were
 * when the date was shared, regardless of later changes to either account. Omits a photo while it is rejected.
 */
export async function findOpenDate(
  db: Db,
  tokenHash: Buffer,
  shown: readonly string[],
  now: Date,
): Promise<OpenDateRow | undefined> {
  const { rows } = await sql<OpenDateRow>`
    select d.*, p.name, ${firstPhoto('p.user_id', shown)} as photo, coalesce(d.with_name, w.name) as with_name,
      c.picture as with_picture, case when c.picture is null then ${firstPhoto('w.user_id', shown)} end as with_photo
    from shared_dates d
    join profiles p on p.user_id = d.user_id
    left join shared_date_photos c on c.date_id = d.id
      and not exists (select from photos r where r.file_name = c.file_name and r.state = 'rejected')
    left join profiles w on w.user_id = d.with_user_id and may_see(d.user_id, d.with_user_id)
    where d.token_hash = ${tokenHash} and d.expires_at > ${now}`.execute(db)
  return rows[0]
}

const unasked = (now: Date) => sql`asked_at is null and check_in_at <= ${now} and expires_at > ${now}`

/** Dates whose check-in is due and whose owner hasn't been asked yet, oldest first. */
export async function findUnasked(db: Db, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from shared_dates where ${unasked(now)} order by check_in_at limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Locks such a date until the transaction ends. Undefined if another process is handling it or the owner has been
 * asked.
 */
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
  contact_told_at: Date
  name: string
  language: string
}

interface Waits {
  graceMinutes: number
  /** After this long, an attempt counts as interrupted and may be repeated. */
  tryMinutes: number
}

const missed = (now: Date, { graceMinutes, tryMinutes }: Waits) => sql`
  d.contact_email is not null and d.expires_at > ${now}
    and d.check_in_at + make_interval(mins => ${graceMinutes}
      + least(d.contact_tries, 10) * least(d.contact_tries, 10) + greatest(d.contact_tries - 10, 0) * 15) <= ${now}
    and (d.contact_told_at is null or d.contact_told_at <= ${now}::timestamptz - make_interval(mins => ${tryMinutes}))`

/**
 * Dates with a missed check-in whose contact hasn't been emailed, fewest attempts first. The pause after each failed
 * email grows up to 15 minutes. Attempts stop when the date's page expires.
 */
export async function findMissed(db: Db, now: Date, waits: Waits, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select d.id from shared_dates d where ${missed(now, waits)}
    order by d.contact_tries, d.check_in_at limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Starts an attempt: counts it and marks the contact as emailed. Undefined if another process was faster or the email
 * isn't needed anymore.
 */
export async function takeMissed(db: Db, id: string, now: Date, waits: Waits): Promise<MissedRow | undefined> {
  const { rows } = await sql<MissedRow>`
    update shared_dates d set contact_tries = d.contact_tries + 1, contact_told_at = ${now}
    from profiles p join accounts a on a.id = p.user_id
    where d.id = ${id} and p.user_id = d.user_id and ${missed(now, waits)}
    returning d.id, d.user_id, d.token_hash, d.contact_email, d.check_in_at, d.checked_in_at, d.contact_tries,
      d.contact_told_at, p.name, a.language`.execute(db)
  return rows[0]
}

/**
 * Records the outcome of an attempt. A sent email is always recorded; any other outcome only if this is still the
 * latest attempt for the same check-in. If the date was moved during the attempt, the contact's address is kept for the
 * new check-in.
 */
export async function settleTry(
  db: Db,
  { id, check_in_at, contact_tries, contact_told_at }: MissedRow,
  { isTold, isDone }: { isTold: boolean; isDone: boolean },
): Promise<void> {
  const isCurrent = sql`(check_in_at = ${check_in_at} and contact_tries = ${contact_tries})`
  await sql`
    update shared_dates set
      contact_told_at = ${isTold ? sql`greatest(contact_told_at, ${contact_told_at}::timestamptz)` : null},
      contact_email = case when ${isDone} and ${isCurrent} then null else contact_email end
    where id = ${id} and (${isTold} or ${isCurrent})`.execute(db)
}

export async function findDeclined(db: Db, addressMacs: readonly Buffer[]): Promise<Buffer[]> {
  const { rows } = await sql<{ address_mac: Buffer }>`
    select address_mac from declined_contacts where address_mac = any(${addressMacs})`.execute(db)
  return rows.map(({ address_mac }) => address_mac)
}

export async function insertDeclined(db: Db, addressMac: Buffer, now: Date): Promise<void> {
  await db
    .insertInto('declined_contacts')
    .values({ address_mac: addressMac, declined_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
