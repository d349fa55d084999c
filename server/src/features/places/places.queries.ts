import { type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/database.ts'
import type { DB } from '../../platform/schema.ts'

export type LocationRow = Selectable<DB['locations']>

export interface Published {
  cell: string
  latitude: number
  longitude: number
  area: string
  /** Where whoever hides their distance is, for others. */
  wide: Wide
}

export interface Wide {
  latitude: number
  longitude: number
  area: string
}

const wideColumns = ({ latitude, longitude, area }: Wide) => ({
  wide_latitude: latitude,
  wide_longitude: longitude,
  wide_area: area,
})

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
      ...wideColumns(place.wide),
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
      ...wideColumns(place.wide),
      publish_at: null,
      published_at: now,
    })
    .where('user_id', '=', userId)
    .execute()
}

/** Keeps where somebody is when they hide their distance. */
export async function putWide(db: Db, userId: string, wide: Wide): Promise<void> {
  await db.updateTable('locations').set(wideColumns(wide)).where('user_id', '=', userId).execute()
}

/** The area others see somebody in; undefined without a location. */
export async function findArea(db: Db, userId: string): Promise<string | null | undefined> {
  const { rows } = await sql<{ area: string | null }>`
    select case when p.hide_distance then l.wide_area else l.area end as area
    from locations l join profiles p on p.user_id = l.user_id where l.user_id = ${userId}`.execute(db)
  return rows[0]?.area
}
