import { sql } from 'kysely'
import { writeSheet } from '../features/questions/sheet.ts'
import type { Db } from '../platform/database/database.ts'
import { foldedName } from '../platform/folded-name.ts'
import type { DemoPerson } from './people.ts'

export async function insertPerson(db: Db, person: DemoPerson, birthDate: string, now: Date): Promise<void> {
  const made = await db
    .insertInto('accounts')
    .values({ id: person.id, email: person.email, terms_accepted_at: now, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) return
  const { id, name, bio, gender, interests, intents } = person
  const { heightCm, ...facts } = person.facts
  await db
    .insertInto('profiles')
    .values({
      user_id: id,
      name,
      folded_name: foldedName(name),
      birth_date: birthDate,
      gender,
      bio,
      interests,
      intents,
      ...facts,
      height_cm: heightCm,
      prompts: JSON.stringify(person.prompts),
      hidden: true,
      last_active_at: now,
      created_at: now,
    })
    .execute()
  const sheet = Buffer.from(writeSheet(person.answers))
  await db.insertInto('answer_sheets').values({ user_id: id, sheet }).execute()
  await markAsDemo(db, id)
}

export async function markAsDemo(db: Db, userId: string): Promise<void> {
  await db
    .insertInto('demo_people')
    .values({ user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function show(db: Db, userId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('profiles')
    .set({ hidden: false })
    .where('user_id', '=', userId)
    .where('hidden', '=', true)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function findUndrawn(db: Db): Promise<Set<string>> {
  const rows = await db
    .selectFrom('demo_people')
    .innerJoin('profiles', 'profiles.user_id', 'demo_people.user_id')
    .select('demo_people.user_id')
    .where('hidden', '=', true)
    .execute()
  return new Set(rows.map((row) => row.user_id))
}

export async function countDemoPeople(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('demo_people')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function areDemo(db: Db, userIds: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('demo_people')
    .select('user_id')
    .where('user_id', 'in', [...userIds])
    .execute()
  return new Set(rows.map((row) => row.user_id))
}

export async function findPassword(db: Db, userId: string): Promise<string | null | undefined> {
  const row = await db.selectFrom('accounts').select('password_hash').where('id', '=', userId).executeTakeFirst()
  return row?.password_hash
}

export async function setPassword(db: Db, userId: string, hash: string): Promise<void> {
  await db.updateTable('accounts').set({ password_hash: hash }).where('id', '=', userId).execute()
}

export async function findUnplaced(db: Db, except: string): Promise<string[]> {
  const rows = await db
    .selectFrom('demo_people')
    .leftJoin('locations', 'locations.user_id', 'demo_people.user_id')
    .select('demo_people.user_id')
    .where('locations.user_id', 'is', null)
    .where('demo_people.user_id', '!=', except)
    .orderBy('demo_people.user_id')
    .execute()
  return rows.map((row) => row.user_id)
}

export async function freeIdle(db: Db, except: string, count: number): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    delete from locations where user_id in (
      select d.user_id from demo_people d join locations l using (user_id)
      where d.user_id <> ${except}
        and not exists (select from conversation_members m where m.user_id = d.user_id)
        and not exists (select from decisions x where x.actor_id = d.user_id or x.target_id = d.user_id)
      order by l.published_at, d.user_id limit ${count})
    returning user_id`.execute(db)
  return rows.map((row) => row.user_id)
}

export async function countNear(db: Db, { latitude, longitude }: { latitude: number; longitude: number }) {
  const { rows } = await sql<{ count: number }>`
    select count(*) from demo_people d join locations l on l.user_id = d.user_id
    where centre_distance_km(${latitude}, ${longitude}, l.latitude, l.longitude) < 60`.execute(db)
  return rows[0]?.count ?? 0
}

export async function addPastMessage(
  db: Db,
  message: { from: string; to: string; id: string; text: string; at: Date; read: boolean },
): Promise<void> {
  const { from, to, id, text, at, read } = message
  await sql`select append_messages(array[${from}]::uuid[], array[${to}]::uuid[], array[${id}], array[${text}],
    array[${at}]::timestamptz[], array[null]::bigint[], array[null]::uuid[], null, ${at}::timestamptz)`.execute(db)
  if (read) await sql`select read_up_to(${to}, ${from}, 1000000)`.execute(db)
}

export async function findNewest(db: Db, a: string, b: string, limit: number) {
  const { rows } = await sql<{ sender_id: string; body: string; seq: number }>`
    select sender_id, body, seq from messages where conversation_id = conversation_id(${a}, ${b})
    order by seq desc limit ${limit}`.execute(db)
  return rows
}
