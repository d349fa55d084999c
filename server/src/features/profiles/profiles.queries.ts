import type { Gender } from '@duet/contract/accounts.ts'
import type { MyDetails, ProfileChanges } from '@duet/contract/profiles.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../platform/database/database.ts'
import { notFound } from '../../platform/errors.ts'
import { foldedName } from '../../platform/folded-name.ts'
import type { OwnPhotoRow } from '../photos/photos.queries.ts'
import { factColumns, type PublicRow } from './cards.queries.ts'

interface NewProfile {
  userId: string
  name: string
  birthDate: string
  gender: Gender | null
  interestedIn: Gender[]
  now: Date
}

export async function insertProfile(db: Db, profile: NewProfile): Promise<void> {
  await db
    .insertInto('profiles')
    .values({
      user_id: profile.userId,
      name: profile.name,
      folded_name: foldedName(profile.name),
      birth_date: profile.birthDate,
      gender: profile.gender,
      interested_in: profile.interestedIn,
      last_active_at: profile.now,
      created_at: profile.now,
    })
    .execute()
}

export interface OwnRow extends PublicRow {
  email: string
  is_super_admin: boolean
  created_at: Date
  erase_at: Date | null
  interested_in: Gender[]
  age_min: number
  age_max: number
  max_distance_km: MyDetails['maxDistanceKm']
  preferences: MyDetails['preferences']
  paused: boolean
  learn_from_me: boolean
  read_receipts: boolean
  sheet: Buffer | null
  area: string | null
  photos: OwnPhotoRow[]
}

const ownProfile = `
  select a.id, a.email, a.is_super_admin, a.created_at, erasure_at(a) as erase_at, p.name, p.birth_date, p.gender, p.gender_text, p.pronouns, p.bio,
    p.intents, p.interests, p.prompts, p.interested_in, p.age_min, p.age_max, p.max_distance_km, p.verified, ${factColumns},
    p.preferences, p.paused, p.learn_from_me, p.read_receipts, s.sheet, l.area,
    (select coalesce(json_agg(json_build_object('file_name', i.file_name, 'state', i.state, 'alt', i.alt,
        'width', i.width, 'height', i.height, 'blurhash', i.blurhash) order by i.position), '[]')
      from photos i where i.user_id = a.id) as photos
  from accounts a join profiles p on p.user_id = a.id left join locations l on l.user_id = a.id
    left join answer_sheets s on s.user_id = a.id
  where a.id = $1`

/** A single prepared statement, because the app runs it at every start. */
export async function findOwn(pool: pg.Pool, userId: string): Promise<OwnRow | undefined> {
  const { rows } = await pool.query<OwnRow>({ name: 'own-profile', text: ownProfile, values: [userId] })
  return rows[0]
}

export async function findSessionRow(db: Db, userId: string) {
  const { rows } = await sql<{ name: string; gender: Gender | null; located: boolean; images: string[] }>`
    select p.name, p.gender, exists (select 1 from locations l where l.user_id = p.user_id) as located,
      array(select file_name from photos i where i.user_id = p.user_id order by position) as images
    from profiles p where p.user_id = ${userId}`.execute(db)
  return rows[0]
}

/** The fields that decide whether others fit a person, and the bounds of the person's own age filter. */
export type FitRow = Pick<
  MyDetails & MyDetails['facts'],
  'gender' | 'intents' | 'heightCm' | 'children' | 'smoking' | 'drinking' | 'diet' | 'languages' | 'ageMin' | 'ageMax'
>

export async function lockFits(db: Db, userId: string): Promise<FitRow> {
  const { rows } = await sql<FitRow>`
    select gender, intents, height_cm as "heightCm", children, smoking, drinking, diet, languages,
      age_min as "ageMin", age_max as "ageMax" from profiles where user_id = ${userId} for update`.execute(db)
  const [row] = rows
  if (!row) throw notFound()
  return row
}

export async function updateProfile(db: Db, userId: string, changes: ProfileChanges): Promise<void> {
  const set = {
    ...(changes.name !== undefined && { name: changes.name }),
    ...(changes.gender !== undefined && { gender: changes.gender }),
    ...(changes.genderText !== undefined && { gender_text: changes.genderText }),
    ...(changes.pronouns !== undefined && { pronouns: changes.pronouns }),
    ...(changes.bio !== undefined && { bio: changes.bio }),
    ...(changes.intents !== undefined && { intents: changes.intents }),
    ...(changes.interests !== undefined && { interests: changes.interests }),
    ...(changes.prompts !== undefined && { prompts: JSON.stringify(changes.prompts) }),
    ...(changes.interestedIn !== undefined && { interested_in: changes.interestedIn }),
    ...(changes.ageMin !== undefined && { age_min: changes.ageMin }),
    ...(changes.ageMax !== undefined && { age_max: changes.ageMax }),
    ...(changes.maxDistanceKm !== undefined && { max_distance_km: changes.maxDistanceKm }),
    ...(changes.heightCm !== undefined && { height_cm: changes.heightCm }),
    ...(changes.children !== undefined && { children: changes.children }),
    ...(changes.smoking !== undefined && { smoking: changes.smoking }),
    ...(changes.drinking !== undefined && { drinking: changes.drinking }),
    ...(changes.diet !== undefined && { diet: changes.diet }),
    ...(changes.faith !== undefined && { faith: changes.faith }),
    ...(changes.languages !== undefined && { languages: changes.languages }),
    ...(changes.preferences !== undefined && { preferences: JSON.stringify(changes.preferences) }),
    ...(changes.paused !== undefined && { paused: changes.paused }),
    ...(changes.learnFromMe !== undefined && { learn_from_me: changes.learnFromMe }),
    ...(changes.readReceipts !== undefined && { read_receipts: changes.readReceipts }),
  }
  if (Object.keys(set).length > 0) await db.updateTable('profiles').set(set).where('user_id', '=', userId).execute()
  if (changes.name !== undefined) await foldName(db, userId, changes.name)
}

/** Runs after the name is stored, because the database clears the folded form of any name that changes. */
async function foldName(db: Db, userId: string, name: string): Promise<void> {
  const folded_name = foldedName(name)
  await db.updateTable('profiles').set({ folded_name }).where('user_id', '=', userId).execute()
}
