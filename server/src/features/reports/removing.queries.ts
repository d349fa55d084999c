import type { AppLanguage } from '@duet/contract/accounts.ts'
import type { ProfilePart } from '@duet/contract/reports.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { languageOf } from '../../platform/http/language.ts'
import { rememberName } from '../profiles/former-names.queries.ts'
import type { KeptItem } from '../sanctions/sanctions.queries.ts'

/** Call it before changing the person's photos. */
export async function holdProfile(db: Db, userId: string): Promise<void> {
  await sql`select from profiles where user_id = ${userId} for no key update`.execute(db)
}

/** Hides a photo from everyone except its owner. False if it is gone, already hidden, or someone else's. */
export async function hidePhoto(
  db: Db,
  ownerId: string,
  fileName: string,
  review: { by: string; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('photos')
    .set({ state: 'rejected', reviewed_by: review.by, reviewed_at: review.now })
    .where('file_name', '=', fileName)
    .where('user_id', '=', ownerId)
    .where('state', '<>', 'rejected')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Shows a hidden photo again. Stores no reviewer, so that nobody can undo it as their own review. False if the photo is
 * deleted.
 */
export async function showPhoto(db: Db, fileName: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('photos')
    .set({ state: 'approved', reviewed_by: null })
    .where('file_name', '=', fileName)
    .where('state', '=', 'rejected')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export type KeptWords = Omit<Extract<KeptItem, { kind: 'profile' }>, 'kind'>

/** Shown in place of a removed name until the person enters a new one. */
const nameless: Record<AppLanguage, string> = { en: 'Someone', es: 'Alguien', ar: 'شخص ما' }

function lockWords(db: Db, userId: string) {
  return db
    .selectFrom('profiles')
    .innerJoin('accounts', 'id', 'user_id')
    .select(['bio', 'prompts', 'name', 'gender_text', 'pronouns', 'language'])
    .where('user_id', '=', userId)
    .forNoKeyUpdate('profiles')
    .executeTakeFirst()
}

async function findDescriptions(db: Db, userId: string): Promise<Record<string, string>> {
  const rows = await db
    .selectFrom('photos')
    .select(['file_name', 'alt'])
    .where('user_id', '=', userId)
    .where('alt', '<>', '')
    .execute()
  return Object.fromEntries(rows.map((row) => [row.file_name, row.alt]))
}

const isNothing = (value: unknown) => Object.keys(Object(value)).length === 0

/**
 * Clears texts of a profile and returns them; undefined if they are empty or the account is gone. People who no longer
 * see the profile still see the name they knew.
 */
export async function clearWords(
  db: Db,
  userId: string,
  parts: readonly ProfilePart[],
  now: Date,
): Promise<KeptWords | undefined> {
  const row = await lockWords(db, userId)
  if (!row) return undefined
  const none = nameless[languageOf(row.language)]
  const own = {
    bio: row.bio,
    prompts: row.prompts as unknown[],
    genderText: row.gender_text,
    pronouns: row.pronouns,
    name: row.name === none ? '' : row.name,
    descriptions: parts.includes('descriptions') ? await findDescriptions(db, userId) : {},
  }
  const taken = parts.filter((part) => !isNothing(own[part]))
  if (taken.length === 0) return undefined
  const has = (part: ProfilePart) => taken.includes(part)
  if (has('name')) await rememberName(db, userId, none, now)
  await sql`update profiles set bio = case when ${has('bio')} then '' else bio end,
    prompts = case when ${has('prompts')} then '[]' else prompts end,
    gender_text = case when ${has('genderText')} then '' else gender_text end,
    pronouns = case when ${has('pronouns')} then '' else pronouns end,
    name = case when ${has('name')} then ${none} else name end where user_id = ${userId}`.execute(db)
  if (has('descriptions')) await db.updateTable('photos').set({ alt: '' }).where('user_id', '=', userId).execute()
  return { bio: '', prompts: [], ...Object.fromEntries(taken.map((part) => [part, own[part]])) }
}

/**
 * Restores removed texts, except those that the person has replaced or that are past their retention period. Gender and
 * pronouns need a consent that is still given. False if nothing was restored.
 */
export async function restoreWords(db: Db, userId: string, words: KeptWords, now: Date): Promise<boolean> {
  const { bio, prompts, name = '', genderText = '', pronouns = '', descriptions = {} } = words
  const nameNow = (await lockWords(db, userId))?.name
  const isNameless = name !== '' && Object.values(nameless).some((none) => none === nameNow)
  if (isNameless) await rememberName(db, userId, name, now)
  const may = sql`exists (select from consents c where c.user_id = p.user_id and c.purpose = 'sensitive'
    and c.withdrawn_at is null)`
  const { rows } = await sql<{ changed: boolean }>`
    update profiles p set bio = coalesce(nullif(p.bio, ''), ${bio}),
      prompts = case when p.prompts = '[]' then ${JSON.stringify(prompts)}::jsonb else p.prompts end,
      gender_text = case when p.gender_text = '' and ${may} then ${genderText} else p.gender_text end,
      pronouns = case when p.pronouns = '' and ${may} then ${pronouns} else p.pronouns end,
      name = case when ${isNameless} then ${name} else p.name end
    from profiles old where p.user_id = ${userId} and old.user_id = p.user_id
    returning (p.bio, p.prompts, p.gender_text, p.pronouns, p.name)
      is distinct from (old.bio, old.prompts, old.gender_text, old.pronouns, old.name) as changed`.execute(db)
  const { numAffectedRows = 0n } = await sql`update photos set alt = d.value
    from jsonb_each_text(${JSON.stringify(descriptions)}::jsonb) d
    where user_id = ${userId} and file_name = d.key and alt = ''`.execute(db)
  return rows[0]?.changed === true || numAffectedRows > 0n
}
