import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { Exported } from './registry.ts'

export type ExportedRow = Record<string, unknown>

const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Turns SQL from the registry into a statement, with $1 bound to the person's id. */
function naming(text: string, userId: string) {
  const parts = text
    .split('$1')
    .flatMap((part, place) => (place === 0 ? [sql.raw(part)] : [sql`${userId}`, sql.raw(part)]))
  return sql.join(parts, sql.raw(''))
}

export function atOneMoment<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').execute(work)
}

/**
 * Reads a person's rows by the registry's rules. The column `with` is the other person's display name. Omits rows about
 * people the viewer can't see, so that a block, an unmatch and a suspension look like an erasure. Includes rows about
 * people the viewer blocked.
 */
export async function readRows(
  db: Db,
  table: string,
  { own, columns, more = {}, other }: Exported,
  userId: string,
): Promise<ExportedRow[]> {
  const chosen = [
    ...columns.map((name) => sql`t.${sql.ref(name)} as ${sql.id(camelCase(name))}`),
    ...Object.entries(more).map(([name, text]) => sql`${naming(text, userId)} as ${sql.id(name)}`),
  ]
  const theirs =
    'where' in own
      ? naming(own.where, userId)
      : sql.join(
          own.map((name) => sql`t.${sql.ref(name)} = ${userId}::uuid`),
          sql` or `,
        )
  const { rows } = await sql<ExportedRow>`
    select ${sql.join(chosen)}${other === undefined ? sql`` : sql`, p.name as "with"`}
    from (select * from ${sql.table(table)} t where ${theirs}) t
    ${
      other === undefined
        ? sql``
        : sql`cross join lateral (select ${naming(other, userId)} as id) o
          left join profiles p on p.user_id = o.id and (may_see(${userId}::uuid, o.id) or exists (
            select from blocks where blocker_id = ${userId}::uuid and blocked_id = o.id and listed and linked_to is null))
          where o.id is null or o.id = ${userId}::uuid or p.user_id is not null`
    }
    order by ${sql.join(columns.map((_, place) => sql.lit(place + 1)))}`.execute(db)
  return rows
}

export interface ExportRow {
  state: 'working' | 'ready' | 'failed'
  language: string
  progress: number
  file_name: string | null
  bytes: number | null
  asked_at: Date
  expires_at: Date | null
}

export async function findExport(db: Db, userId: string): Promise<ExportRow | undefined> {
  const row = await db.selectFrom('data_exports').selectAll().where('user_id', '=', userId).executeTakeFirst()
  return row as ExportRow | undefined
}

export async function putWorking(db: Db, userId: string, language: string, now: Date): Promise<void> {
  const values = {
    state: 'working',
    language,
    progress: 0,
    asked_at: now,
    file_name: null,
    bytes: null,
    expires_at: null,
  }
  await db
    .insertInto('data_exports')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
}

export async function setProgress(db: Db, userId: string, progress: number): Promise<void> {
  await db
    .updateTable('data_exports')
    .set({ progress: Math.min(1, progress) })
    .where('user_id', '=', userId)
    .where('state', '=', 'working')
    .execute()
}

/** Waits for a running erasure of the account, and prevents a new one until the transaction ends. */
export async function holdAccount(db: Db, userId: string): Promise<void> {
  await sql`select from accounts where id = ${userId} for key share`.execute(db)
}

export async function putReady(
  db: Db,
  userId: string,
  { fileName, bytes, expiresAt }: { fileName: string; bytes: number; expiresAt: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('data_exports')
    .set({ state: 'ready', progress: 1, file_name: fileName, bytes, expires_at: expiresAt })
    .where('user_id', '=', userId)
    .where('state', '=', 'working')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Marks running exports as failed: those of one person, or all that were requested before `before`. */
export async function putFailed(db: Db, { userId, before }: { userId?: string; before?: Date }): Promise<void> {
  await db
    .updateTable('data_exports')
    .set({ state: 'failed' })
    .where('state', '=', 'working')
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId as string))
    .$if(before !== undefined, (query) => query.where('asked_at', '<', before as Date))
    .execute()
}

/** Whether the file is the viewer's current export and hasn't expired, and their session is still valid. */
export async function isFetchable(
  db: Db,
  { viewerId, sessionId }: { viewerId: string; sessionId: string },
  fileName: string,
  now: Date,
): Promise<boolean> {
  const row = await db
    .selectFrom('data_exports')
    .innerJoin('sessions', 'sessions.user_id', 'data_exports.user_id')
    .select('data_exports.user_id')
    .where('sessions.id', '=', sessionId)
    .where('sessions.expires_at', '>', now)
    .where('sessions.idle_expires_at', '>', now)
    .where('data_exports.user_id', '=', viewerId)
    .where('file_name', '=', fileName)
    .where('data_exports.expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

export async function findExpiredExports(db: Db, now: Date): Promise<{ user_id: string; file_name: string }[]> {
  const rows = await db
    .selectFrom('data_exports')
    .select(['user_id', 'file_name'])
    .where('expires_at', '<=', now)
    .execute()
  return rows.flatMap(({ user_id, file_name }) => (file_name === null ? [] : [{ user_id, file_name }]))
}

export async function removeExport(db: Db, userId: string, fileName: string): Promise<void> {
  await db.deleteFrom('data_exports').where('user_id', '=', userId).where('file_name', '=', fileName).execute()
}
