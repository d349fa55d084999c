import type pg from 'pg'

export const kinds = ['dense', 'mid', 'rural', 'heavy'] as const
export type Kind = (typeof kinds)[number]
export type Viewers = Record<Kind, string[]>

/** The number of people that each heavy viewer has decided on, nearest first, one per hour. */
const heavySwipes = 5_000

/*
 * Viewers by how many people share their wide cell (250 km²): from the fullest cell, from cells as full as the median
 * person's, and from the emptiest cells, where 5% of people live.
 */
const byDensity = `
  with filled as (select cell, count(*) as people from candidates group by cell),
  ranked as (select cell, people, (sum(people) over (order by people, cell) - people / 2.0) / sum(people) over () as share from filled)
  select c.user_id as id from ranked join candidates c using (cell)
  where case $1 when 'dense' then people = (select max(people) from filled) when 'mid' then share between 0.45 and 0.55
    else share < 0.05 end
  order by md5(c.user_id::text || $1) limit $2`

async function choose(pool: pg.Pool, kind: Kind, count: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(byDensity, [kind, count])
  return rows.map(({ id }) => id)
}

/**
 * Heavy viewers: men aged 25 to 40 in the fullest cell, changed to look for women aged 20 to 45 within 100 km, ordered
 * by a hash.
 */
const heavyOnes = `
  select c.user_id as id from candidates c join profiles p using (user_id)
  where c.cell = (select cell from candidates group by cell order by count(*) desc, cell limit 1) and p.gender = 'man'
    and p.birth_date between current_date - interval '40 years' and current_date - interval '25 years' and not c.user_id = any($1)
  order by md5(c.user_id::text || 'heavy') limit $2`
const widen = `update profiles set interested_in = '{woman}', age_min = 20, age_max = 45, max_distance_km = 100, preferences = '{}'
  where user_id = any($1)`

/**
 * Chooses `count` viewers of each kind, all different. `fittingOf` returns the people that the heavy viewers pass on.
 */
export async function chooseViewers(
  pool: pg.Pool,
  count: number,
  fittingOf: (viewerId: string, most: number) => Promise<string[]>,
): Promise<Viewers> {
  const [dense = [], mid = [], rural = []] = [
    await choose(pool, 'dense', count),
    await choose(pool, 'mid', count),
    await choose(pool, 'rural', count),
  ]
  const { rows } = await pool.query<{ id: string }>(heavyOnes, [dense, count])
  const heavy = rows.map(({ id }) => id)
  await pool.query(widen, [heavy])
  // A reused database would otherwise gain 5,000 decisions with every run.
  await pool.query('delete from decisions where actor_id = any($1)', [heavy])
  for (const id of heavy)
    await pool.query(
      `insert into decisions (actor_id, target_id, decision, decided_at)
       select $1, id, 'pass', now() - place * interval '1 hour' from unnest($2::uuid[]) with ordinality passed (id, place)
       on conflict do nothing`,
      [id, await fittingOf(id, heavySwipes)],
    )
  return { dense, mid, rural, heavy }
}
