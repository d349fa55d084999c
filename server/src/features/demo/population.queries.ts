import { sql } from 'kysely'
import type { Db } from '../../platform/database.ts'

/** Somebody made up, flat, as the bulk insert wants it. */
export interface MadeUp {
  id: string
  email: string
  name: string
  birth_date: string
  gender: string
  bio: string
  interest: string
  cell: string
  latitude: number
  longitude: number
  area: string
}

/** Writes a batch of people with profiles and places in one statement; who is there already is left alone. */
export async function insertBatch(db: Db, people: MadeUp[], now: Date): Promise<void> {
  const batch = JSON.stringify(people)
  await sql`
    with people as (select * from jsonb_to_recordset(${batch}::jsonb) as p (id uuid, email text, name text, birth_date date,
      gender text, bio text, interest text, cell text, latitude float8, longitude float8, area text)),
    made as (insert into accounts (id, email, terms_accepted_at, created_at)
      select id, email, ${now}, ${now} from people on conflict do nothing returning id),
    profiled as (insert into profiles (user_id, name, birth_date, gender, bio, interests, last_active_at, created_at)
      select id, name, birth_date, gender, bio, array[interest], ${now}::timestamptz - random() * interval '20 days', ${now}
      from people join made using (id))
    insert into locations (user_id, cell, published_cell, latitude, longitude, area, published_at)
      select id, cell, cell, latitude, longitude, area, ${now} from people join made using (id)`.execute(db)
}

/** Signs people in: one session for each id, with the hash of its token. */
export async function insertSessions(
  db: Db,
  sessions: { id: string; tokenHash: Buffer }[],
  now: Date,
  expires: Date,
): Promise<{ id: string; name: string }[]> {
  const ids = sessions.map(({ id }) => id)
  const hashes = sessions.map(({ tokenHash }) => tokenHash)
  await sql`insert into sessions
      (token_hash, user_id, device, created_at, authenticated_at, last_seen_at, idle_expires_at, expires_at)
    select hash, id, 'seed', ${now}, ${now}, ${now}, ${expires}, ${expires}
    from unnest(${ids}::uuid[], ${hashes}::bytea[]) as s (id, hash)`.execute(db)
  const { rows } = await sql<{ id: string; name: string }>`
    select user_id as id, name from profiles where user_id = any(${ids}::uuid[])`.execute(db)
  return rows
}

export async function analyze(db: Db): Promise<void> {
  await sql`analyze accounts, profiles, locations, sessions`.execute(db)
}
