import type { ReviewState } from '@duet/contract/photos.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../platform/database/database.ts'
import { named } from '../../platform/database/named-client.ts'
import { mayDecide } from '../claims/parties.queries.ts'

export interface PhotoRow {
  file_name: string
  alt: string
  width: number
  height: number
  blurhash: string
}
export interface OwnPhotoRow extends PhotoRow {
  state: ReviewState
}

interface NewPhoto extends PhotoRow {
  userId: string
  state: ReviewState
  sha256: Buffer
  now: Date
}

export async function lockOwner(db: Db, ownerId: string): Promise<boolean> {
  const row = await db
    .selectFrom('profiles')
    .select('user_id')
    .where('user_id', '=', ownerId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}

export async function countPhotos(db: Db, ownerId: string): Promise<number> {
  const { count } = await db
    .selectFrom('photos')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', ownerId)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertPhoto(db: Db, photo: NewPhoto): Promise<void> {
  const { userId, now, ...columns } = photo
  await db
    .insertInto('photos')
    .values({
      ...columns,
      user_id: userId,
      created_at: now,
      position: sql<number>`(select coalesce(max(position) + 1, 0) from photos where user_id = ${userId})`,
    })
    .execute()
}

export function findOwnPhotos(db: Db, ownerId: string): Promise<OwnPhotoRow[]> {
  return db
    .selectFrom('photos')
    .select(['file_name', 'alt', 'width', 'height', 'blurhash', sql<ReviewState>`state`.as('state')])
    .where('user_id', '=', ownerId)
    .orderBy('position')
    .execute()
}

// Others see approved photos, and also pending ones if photos are reviewed only after they are shown.
export const shown = (showPending: boolean) => (showPending ? ['approved', 'pending'] : ['approved'])

export function findPhotos(
  db: Db,
  viewerId: string,
  userIds: readonly string[],
  showPending: boolean,
): Promise<(PhotoRow & { user_id: string })[]> {
  return db
    .selectFrom('photos')
    .select(['user_id', 'file_name', 'alt', 'width', 'height', 'blurhash'])
    .where('user_id', 'in', sql<string>`(select unnest(${userIds}::uuid[]))`)
    .where((eb) =>
      eb.or([
        eb('user_id', '=', viewerId),
        eb.and([eb('state', 'in', shown(showPending)), sql<boolean>`not is_blocked(${viewerId}, user_id)`]),
      ]),
    )
    .orderBy('position')
    .execute()
}

export async function findFirstPhotos(
  db: Db,
  pairs: readonly { viewerId: string; userId: string }[],
  showPending: boolean,
): Promise<(PhotoRow & { place: number })[]> {
  const { rows } = await sql<PhotoRow & { place: number }>`${named('first-photos')}
    select (asked.place - 1)::integer as place, p.*
    from unnest((select ${pairs.map(({ viewerId }) => viewerId)}::uuid[]), (select ${pairs.map(({ userId }) => userId)}::uuid[]))
      with ordinality as asked (viewer_id, user_id, place)
    left join blocks b on b.blocker_id = asked.viewer_id and b.blocked_id = asked.user_id
    left join blocks o on o.blocker_id = asked.user_id and o.blocked_id = asked.viewer_id
    cross join lateral (
      select file_name, alt, width, height, blurhash from photos
      where user_id = asked.user_id and (user_id = asked.viewer_id
        or (state = any((select ${shown(showPending)}::text[])::text[]) and b.blocker_id is null and o.blocker_id is null))
      order by position limit 1) p`.execute(db)
  return rows
}

export function findUnderReview(db: Db, userIds: readonly string[]): Promise<(PhotoRow & { user_id: string })[]> {
  return db
    .selectFrom('photos')
    .select(['user_id', 'file_name', 'alt', 'width', 'height', 'blurhash'])
    .where('user_id', 'in', sql<string>`(select unnest(${userIds}::uuid[]))`)
    .where(sql<boolean>`state = any(shown_states())`)
    .orderBy('position')
    .execute()
}

export function findByName(db: Db, fileNames: readonly string[]): Promise<PhotoRow[]> {
  return db
    .selectFrom('photos')
    .select(['file_name', 'alt', 'width', 'height', 'blurhash'])
    .where(sql<boolean>`file_name = any(${fileNames}::text[])`)
    .execute()
}

/** Stores whether others see unreviewed photos; false if the setting was the same before. */
export async function putPhotoReview(db: Db, photoReview: 'after' | 'before', now: Date): Promise<boolean> {
  const { rows } = await sql`insert into settings (key, value, changed_at)
    values ('photoReview', to_jsonb(${photoReview}::text), ${now})
    on conflict (key) do update set value = excluded.value, changed_at = excluded.changed_at
    where settings.value <> excluded.value returning 1`.execute(db)
  return rows.length > 0
}

/** Removes badges from people whose first visible photo changed because of the setting. */
export async function followMainPhotos(db: Db): Promise<void> {
  await sql`with people as (select array_agg(distinct user_id) as ids from photos where state = 'pending'),
    locked as (select lock_people(ids) from people where ids is not null)
    select follow_main_photos(ids) from people, (select count(*) from locked) as done where ids is not null`.execute(db)
}

interface Looking {
  viewerId: string
  showPending: boolean
  now: Date
}

// URLs stop working when the viewer signs out everywhere, or is suspended or banned.
const visible = `select from photos p join accounts viewer on viewer.id = $2
  where p.file_name = $1 and is_signed_in(viewer.id, $3) and (p.user_id = $2 or viewer.is_super_admin
    or (p.state = any($4) and viewer.standing in ('good', 'restricted') and may_see($2, p.user_id)))`

/**
 * Whether the viewer may see a photo now and is signed in anywhere. Super administrators see all photos, to review
 * them.
 */
export async function isPhotoVisible(
  pool: pg.Pool,
  fileName: string,
  { viewerId, showPending, now }: Looking,
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'photo-visible',
    text: visible,
    values: [fileName, viewerId, now, shown(showPending)],
  })
  return rowCount === 1
}

export async function removePhoto(db: Db, ownerId: string, fileName: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('photos')
    .where('user_id', '=', ownerId)
    .where('file_name', '=', fileName)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function updatePositions(db: Db, ownerId: string, fileNames: readonly string[]): Promise<void> {
  await sql`update photos p set position = wanted.position - 1
    from unnest(${fileNames}::text[]) with ordinality as wanted (file_name, position)
    where p.user_id = ${ownerId} and p.file_name = wanted.file_name`.execute(db)
}

export async function updateAlt(db: Db, ownerId: string, fileName: string, alt: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('photos')
    .set({ alt })
    .where('user_id', '=', ownerId)
    .where('file_name', '=', fileName)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function findOwner(db: Db, fileName: string): Promise<string | undefined> {
  const row = await db.selectFrom('photos').select('user_id').where('file_name', '=', fileName).executeTakeFirst()
  return row?.user_id
}

export function lockPhoto(db: Db, fileName: string) {
  return db
    .selectFrom('photos')
    .select(['user_id', 'state', 'reviewed_by', 'reviewed_at'])
    .where('file_name', '=', fileName)
    .forUpdate()
    .executeTakeFirst()
}

export async function updateReview(
  db: Db,
  fileName: string,
  review: { state: ReviewState; reviewerId: string | null; now: Date | null },
): Promise<void> {
  await db
    .updateTable('photos')
    .set({ state: review.state, reviewed_by: review.reviewerId, reviewed_at: review.now })
    .where('file_name', '=', fileName)
    .execute()
}

export interface WaitingPhotoRow extends OwnPhotoRow {
  owner_id: string
  owner_name: string
  created_at: Date
}

export function findWaitingPhotos(
  db: Db,
  reviewerId: string,
  after: { at: string; fileName: string } | undefined,
  limit: number,
): Promise<WaitingPhotoRow[]> {
  return db
    .selectFrom('photos')
    .innerJoin('profiles', 'profiles.user_id', 'photos.user_id')
    .select(['file_name', 'alt', 'width', 'height', 'blurhash', 'photos.created_at'])
    .select(['photos.user_id as owner_id', 'name as owner_name', sql<ReviewState>`state`.as('state')])
    .where('state', '=', 'pending')
    .where(mayDecide('photo', sql`photos.file_name`, reviewerId))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(photos.created_at, file_name) > (${after?.at}::timestamptz, ${after?.fileName})`),
    )
    .orderBy('photos.created_at')
    .orderBy('file_name')
    .limit(limit)
    .execute()
}
