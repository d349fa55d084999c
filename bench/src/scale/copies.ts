import pg from 'pg'

/** Everyone who was made up, by number; copies have no account. */
const numbered = `create temporary table made_up as
  select row_number() over (order by user_id) - 1 as number, c.* from candidates c join accounts a on a.id = c.user_id`
const counts = `select (select count(*) from made_up)::int as people, (select count(*) from candidates)::int as all`

/*
 * A copy of everyone: they live where someone does, and are otherwise as someone else is, a different one each time.
 * They have only what a search asks of those who are found.
 */
const copy = `with count as (select count(*) as people from made_up),
  copied as (insert into profiles (user_id, name, birth_date, last_active_at, created_at)
    select md5(user_id::text || $1)::uuid, 'Copy', birth_date, now(), now() from made_up)
  insert into candidates select md5(home.user_id::text || $1)::uuid, home.cell, home.latitude, home.longitude, o.gender, o.seeks,
    o.birth_date, o.age_min, o.age_max, home.reach, o.traits, o.refuses, o.avoids, o.languages, o.needs_languages, o.height,
    o.height_min, o.height_max, o.interests_1, o.interests_2, o.active_on, o.since
  from count cross join made_up home join made_up o on o.number = (home.number + $1::integer * 7919) % count.people`

/** Copies the people of a database until there are at least `people` who can be seen. */
export async function copyPeople(owner: pg.ClientConfig, people: number): Promise<void> {
  const client = new pg.Client(owner)
  await client.connect()
  try {
    // Neither triggers nor foreign keys.
    await client.query('set session_replication_role = replica')
    await client.query(numbered)
    const { rows } = await client.query<{ people: number; all: number }>(counts)
    const { people: each = 1, all = 1 } = rows[0] ?? {}
    for (let made = Math.round(all / each); made * each < people; made++) {
      await client.query(copy, [String(made)])
      if (made % 10 === 9) console.log(`  ${(made + 1) * each} people`)
    }
    await client.query('vacuum analyze candidates, profiles')
  } finally {
    await client.end()
  }
}
