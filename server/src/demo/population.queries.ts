import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { foldedName } from '../platform/folded-name.ts'

export interface MadeUp {
  id: string
  email: string
  name: string
  birth_date: string
  gender: string
  interested_in: readonly string[]
  age_min: number
  age_max: number
  max_distance_km: number | null
  bio: string
  prompts: { prompt: string; answer: string }[]
  intents: string[]
  interests: string[]
  height_cm: number | null
  children: string | null
  smoking: string | null
  drinking: string | null
  diet: string | null
  languages: string[]
  preferences: object
  paused: boolean
  last_active_at: string
  created_at: string
  cell: string
  latitude: number
  longitude: number
  area: string
  sheet: string | null
}

const described =
  sql.raw(`name, folded_name, birth_date, gender, interested_in, age_min, age_max, max_distance_km, bio, prompts, intents,
  interests, height_cm, children, smoking, drinking, diet, languages, preferences, paused, last_active_at, created_at`)

export async function insertBatch(db: Db, people: MadeUp[], now: Date): Promise<void> {
  const batch = JSON.stringify(people.map((one) => ({ ...one, folded_name: foldedName(one.name) })))
  await sql`
    with people as materialized (select * from jsonb_to_recordset(${batch}::jsonb) as p (id uuid, email text, name text,
      folded_name text, birth_date date, gender text, interested_in text[], age_min smallint, age_max smallint, max_distance_km smallint, bio text,
      prompts jsonb, intents text[], interests text[], height_cm smallint, children text, smoking text, drinking text, diet text,
      languages text[], preferences jsonb, paused boolean, last_active_at timestamptz, created_at timestamptz, cell text,
      latitude float8, longitude float8, area text, sheet text)),
    made as (insert into accounts (id, email, terms_accepted_at, created_at)
      select id, email, created_at, created_at from people on conflict do nothing returning id),
    profiled as (insert into profiles (user_id, ${described}) select id, ${described} from people join made using (id)),
    answered as (insert into answer_sheets (user_id, sheet)
      select id, decode(sheet, 'hex') from people join made using (id) where sheet is not null)
    insert into locations (user_id, cell, published_cell, latitude, longitude, area, published_at)
      select id, cell, cell, latitude, longitude, area, ${now} from people join made using (id)`.execute(db)
}

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
  await sql`analyze accounts, profiles, locations, sessions, answer_sheets, candidates`.execute(db)
}
