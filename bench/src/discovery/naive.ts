import type pg from 'pg'

/*
 * A typical implementation: an index on latitude and longitude, a box around the viewer, and the haversine formula in
 * SQL. It applies both people's filters to the full tables, excludes people already decided on, and returns the nearest
 * 50.
 */
const query = `
  select p.user_id as id, centre_distance_km(ml.latitude, ml.longitude, l.latitude, l.longitude) as km
  from profiles me join locations ml on ml.user_id = me.user_id
  join locations l on l.latitude between $2::float8 - $4::float8 and $2::float8 + $4::float8
    and l.longitude between $3::float8 - $5::float8 and $3::float8 + $5::float8
  join profiles p on p.user_id = l.user_id
  where me.user_id = $1 and p.user_id <> me.user_id and not p.hidden and not p.paused
    and (cardinality(me.interested_in) = 0 or p.gender = any(me.interested_in))
    and (cardinality(p.interested_in) = 0 or me.gender = any(p.interested_in))
    and extract(year from age(p.birth_date)) between me.age_min and me.age_max
    and extract(year from age(me.birth_date)) between p.age_min and p.age_max
    and centre_distance_km(ml.latitude, ml.longitude, l.latitude, l.longitude) < least(me.max_distance_km, p.max_distance_km, 20100)
    and not exists (select from decisions d where d.actor_id = me.user_id and d.target_id = p.user_id)
    and not exists (select from blocks b where (b.blocker_id = me.user_id and b.blocked_id = p.user_id)
      or (b.blocker_id = p.user_id and b.blocked_id = me.user_id))
  order by km limit $6`

const kmPerDegree = 111.2
/** Half the box's width for people without a distance filter. */
const farthestKm = 100

/** Where a viewer is and how far they want to look. Read before the clock starts. */
export interface Spot {
  id: string
  latitude: number
  longitude: number
  km: number
}

export async function spotOf(pool: pg.Pool, id: string): Promise<Spot> {
  const { rows } = await pool.query(
    'select latitude, longitude, max_distance_km as km from locations join profiles using (user_id) where user_id = $1',
    [id],
  )
  return { id, latitude: rows[0].latitude, longitude: rows[0].longitude, km: rows[0].km ?? farthestKm }
}

export async function findNaively(pool: pg.Pool, { id, latitude, longitude, km }: Spot, most = 50): Promise<string[]> {
  const north = km / kmPerDegree
  const east = north / Math.cos((latitude * Math.PI) / 180)
  const { rows } = await pool.query<{ id: string }>(query, [id, latitude, longitude, north, east, most])
  return rows.map((row) => row.id)
}
