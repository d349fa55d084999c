import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

/**
 * When an account will be erased, which can be later than requested because of shared dates. Null if no erasure is
 * scheduled.
 */
export async function findEraseAt(db: Db, userId: string): Promise<Date | null> {
  const { rows } = await sql<{ eraseAt: Date | null }>`
    select erasure_at(a) as "eraseAt" from accounts a where id = ${userId}`.execute(db)
  return rows[0]?.eraseAt ?? null
}

/** Schedules an erasure, unless one is scheduled. Returns the account's address and the scheduled time. */
export async function putEraseAt(
  db: Db,
  userId: string,
  eraseAt: Date,
): Promise<{ email: string; language: string; eraseAt: Date; isNew: boolean } | undefined> {
  const { rows } = await sql<{ email: string; language: string; eraseAt: Date; isNew: boolean }>`
    with before as (select id, erase_at from accounts where id = ${userId} for update)
    update accounts a set erase_at = coalesce(before.erase_at, ${eraseAt}) from before where a.id = before.id
    returning a.email, a.language, a.erase_at as "eraseAt", before.erase_at is null as "isNew"`.execute(db)
  return rows[0]
}

/** Cancels a scheduled erasure. Returns false if none is scheduled or its time has passed. */
export async function clearEraseAt(db: Db, userId: string, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update accounts a set erase_at = null where id = ${userId} and erasure_at(a) > ${now}`.execute(db)
  return numAffectedRows === 1n
}

/** Schedules erasures, replacing earlier schedules; null cancels. Ignores unknown ids. */
export async function setEraseAt(
  db: Db,
  decided: readonly { userId: string; eraseAt: string | null }[],
): Promise<void> {
  const ids = decided.map(({ userId }) => userId)
  const moments = decided.map(({ eraseAt }) => eraseAt)
  await sql`update accounts a set erase_at = d.erase_at
    from unnest(${ids}::uuid[], ${moments}::timestamptz[]) as d (id, erase_at) where a.id = d.id`.execute(db)
}

export async function postponeErasures(db: Db, earliest: Date): Promise<void> {
  await db.updateTable('accounts').set({ erase_at: earliest }).where('erase_at', '<', earliest).execute()
}

/** Address changes that could be undone at `since` can be undone until at least `earliest`. */
export async function postponeUndos(db: Db, since: Date, earliest: Date): Promise<void> {
  await db
    .updateTable('address_undos')
    .set({ expires_at: earliest })
    .where('expires_at', '>', since)
    .where('expires_at', '<', earliest)
    .execute()
}

/** Deletes used recovery codes, and marks those of administrators as used. Hashes are in hex. */
export async function spendCodes(db: Db, spent: readonly { userId: string; spentCode: string }[]): Promise<void> {
  const ids = spent.map(({ userId }) => userId)
  const hashes = spent.map(({ spentCode }) => spentCode)
  await sql`with spent as (
      select id, decode(hash, 'hex') as hash from unnest(${ids}::uuid[], ${hashes}::text[]) as given (id, hash)),
    gone as (
      delete from account_recovery_codes c using spent s where c.user_id = s.id and c.code_hash = s.hash)
    update recovery_codes c set used_at = now() from spent s
    where c.user_id = s.id and c.code_hash = s.hash and c.used_at is null`.execute(db)
}

export async function endOtherSessions(db: Db, userId: string, sessionId: string): Promise<string[]> {
  const rows = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '!=', sessionId)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Accounts due for erasure, in random order, so that accounts that can't be erased don't block others. */
export async function findDueErasures(db: Db, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from accounts a where erase_at <= ${now} and erasure_at(a) <= ${now}
    order by random() limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Locks an account and its conversations until the transaction ends, so that nothing can be added to them. Returns the
 * address; undefined if the account doesn't exist, another process has locked it, or it isn't due by `due`.
 */
export async function lockForErasure(db: Db, userId: string, due: Date | undefined): Promise<string | undefined> {
  const row = await db
    .selectFrom('accounts as a')
    .select('email')
    .where('id', '=', userId)
    .$if(due !== undefined, (query) => query.where(sql<boolean>`erasure_at(a) <= ${due}`))
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (row) {
    await sql`select from conversations where user_lo = ${userId} or user_hi = ${userId} order by id for update`.execute(
      db,
    )
  }
  return row?.email
}

export interface OwnFiles {
  photos: string[]
  /** Attachments from both people, because the whole conversation is deleted. */
  attachments: string[]
  selfies: string[]
  exports: string[]
}

export async function findFiles(db: Db, userId: string): Promise<OwnFiles> {
  const { rows } = await sql<{ kind: keyof OwnFiles; name: string }>`
    select 'photos' as kind, file_name as name from photos where user_id = ${userId}
    union all select 'attachments', file_name from attachments where owner_id = ${userId}
      or conversation_id in (select id from conversations where user_lo = ${userId} or user_hi = ${userId})
    union all select 'attachments', file_name from message_versions where file_name is not null
      and conversation_id in (select id from conversations where user_lo = ${userId} or user_hi = ${userId})
    union all select 'selfies', file_name from verifications where user_id = ${userId}
    union all select 'exports', file_name from data_exports where user_id = ${userId} and file_name is not null`.execute(
    db,
  )
  const named = (kind: keyof OwnFiles) => rows.filter((row) => row.kind === kind).map(({ name }) => name)
  return {
    photos: named('photos'),
    attachments: named('attachments'),
    selfies: named('selfies'),
    exports: named('exports'),
  }
}

/** Runs the statements from the registry, then deletes the account and everything that cascades from it. */
export async function removeRows(db: Db, userId: string, email: string, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await runNaming(db, statement, userId, email)
  await sql`delete from attachments where owner_id = ${userId}
    or conversation_id in (select id from conversations where user_lo = ${userId} or user_hi = ${userId})`.execute(db)
  await db.deleteFrom('accounts').where('id', '=', userId).execute()
  await sql`delete from graphile_worker._private_jobs where payload::text like ${`%${userId}%`} and locked_at is null`.execute(
    db,
  )
}

/** Runs a statement in which $1 is the person's id and $2 their address. */
async function runNaming(db: Db, statement: string, userId: string, email: string): Promise<void> {
  const parts = statement.split(/(\$[12]\b)/).map((part) => {
    if (part === '$1') return sql`${userId}`
    return part === '$2' ? sql`${email}` : sql.raw(part)
  })
  await sql.join(parts, sql.raw('')).execute(db)
}

export async function putErased(db: Db, userId: string, erasedAt: Date): Promise<void> {
  await db
    .insertInto('deletion_ledger')
    .values({ user_id: userId, erased_at: erasedAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function findErased(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('deletion_ledger').select('user_id').execute()
  return rows.map(({ user_id }) => user_id)
}

/** Deletes all candidate changes. After a restore, nothing reads them. */
export async function removeChanges(db: Db): Promise<void> {
  await db.deleteFrom('candidate_changes').execute()
}
