import { type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { DB } from '../../platform/database/schema.ts'

export type LocationRow = Selectable<DB['locations']>

export interface Published {
  cell: string
  latitude: number
  longitude: number
  area: string
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

export function lockLocation(db: Db, userId: string): Promise<LocationRow | undefined> {
  return db.selectFrom('locations').selectAll().where('user_id', '=', userId).forUpdate().executeTakeFirst()
}

export function findOwnCell(
  db: Db,
  userId: string,
): Promise<(Pick<LocationRow, 'cell'> & { hide_distance: boolean }) | undefined> {
  return db
    .selectFrom('locations as l')
    .innerJoin('profiles as p', 'p.user_id', 'l.user_id')
    .select(['l.cell', 'p.hide_distance'])
    .where('l.user_id', '=', userId)
    .executeTakeFirst()
}

export async function hasWithdrawnLocationConsent(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`select from consents
    where user_id = ${userId} and purpose = 'location' and withdrawn_at is not null limit 1`.execute(db)
  return rows.length > 0
}

/** When others see a place: since `published_at`, or from `publish_at` on. */
interface Publishing {
  published_at: Date | null
  publish_at: Date | null
}

/** Inserts a person's first location; false if another request has already inserted one. */
export async function insertLocation(
  db: Db,
  userId: string,
  place: Published,
  publishing: Publishing,
): Promise<boolean> {
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
      ...publishing,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Others see the cell from `publishAt` on, or never if that is null. */
export async function updateCell(db: Db, userId: string, cell: string, publishAt: Date | null): Promise<void> {
  await db.updateTable('locations').set({ cell, publish_at: publishAt }).where('user_id', '=', userId).execute()
}

export async function findDueMoves(db: Db, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('locations')
    .select('user_id')
    .where('publish_at', '<=', now)
    .orderBy('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** Those of `userIds` with a move that is due to be published, locked. Skips rows that another process has locked. */
export function lockDue(db: Db, userIds: readonly string[], now: Date): Promise<{ user_id: string; cell: string }[]> {
  return db
    .selectFrom('locations')
    .select(['user_id', 'cell'])
    .where('user_id', 'in', userIds)
    .where('publish_at', '<=', now)
    .orderBy('user_id')
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

export async function putWide(db: Db, userId: string, wide: Wide): Promise<void> {
  await db.updateTable('locations').set(wideColumns(wide)).where('user_id', '=', userId).execute()
}

export async function findArea(db: Db, userId: string): Promise<string | null | undefined> {
  const { rows } = await sql<{ area: string | null }>`
    select case when p.hide_distance then l.wide_area else l.area end as area
    from locations l join profiles p on p.user_id = l.user_id where l.user_id = ${userId}`.execute(db)
  return rows[0]?.area
}
