import type { Selectable } from 'kysely'
import type { Db } from '../../platform/database.ts'
import type { DB } from '../../platform/schema.ts'

export type LocationRow = Selectable<DB['locations']>

export interface Published {
  cell: string
  latitude: number
  longitude: number
  area: string
}

/** The location of a person, locked until the transaction ends. */
export function lockLocation(db: Db, userId: string): Promise<LocationRow | undefined> {
  return db.selectFrom('locations').selectAll().where('user_id', '=', userId).forUpdate().executeTakeFirst()
}

export function findLocation(db: Db, userId: string): Promise<LocationRow | undefined> {
  return db.selectFrom('locations').selectAll().where('user_id', '=', userId).executeTakeFirst()
}

/** Inserts somebody's first location, published at once; false when another request was first. */
export async function insertLocation(db: Db, userId: string, place: Published, now: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('locations')
    .values({
      user_id: userId,
      cell: place.cell,
      published_cell: place.cell,
      latitude: place.latitude,
      longitude: place.longitude,
      area: place.area,
      published_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Notes where somebody is now; others hear of it at `publishAt`, or never when that is null. */
export async function updateCell(db: Db, userId: string, cell: string, publishAt: Date | null): Promise<void> {
  await db.updateTable('locations').set({ cell, publish_at: publishAt }).where('user_id', '=', userId).execute()
}

/** People whose move is due to be published, locked; rows that another process works on are left out. */
export function lockDue(db: Db, now: Date, limit: number): Promise<{ user_id: string; cell: string }[]> {
  return db
    .selectFrom('locations')
    .select(['user_id', 'cell'])
    .where('publish_at', '<=', now)
    .orderBy('user_id')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
}

export async function publishCell(db: Db, userId: string, place: Published, now: Date): Promise<void> {
  await db
    .updateTable('locations')
    .set({
      published_cell: place.cell,
      latitude: place.latitude,
      longitude: place.longitude,
      area: place.area,
      publish_at: null,
      published_at: now,
    })
    .where('user_id', '=', userId)
    .execute()
}
