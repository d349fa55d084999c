import type { Pool } from 'pg'

interface Use {
  key: string
  points: number
  now: number
}

interface Counted {
  isTaken: boolean
  points: number
  expire: number
}

/** Counts a use if it fits into its window. Refused uses don't count, so one refund frees exactly one use. */
export async function takeUse(pool: Pool, { key, points, now }: Use, most: number, seconds: number): Promise<Counted> {
  const { rows } = await pool.query<{ taken: boolean; points: number; expire: string }>({
    name: 'take-use',
    text: `with used as (insert into rate_limits as counted (key, points, expire)
        select $1, $2::int, $4::bigint where $2 <= $5::int
        on conflict (key) do update set
          points = case when counted.expire <= $3 then $2 else counted.points + $2 end,
          expire = case when counted.expire <= $3 then $4 else counted.expire end
          where counted.expire <= $3 or counted.points + $2 <= $5
        returning points, expire)
      select true as taken, points, expire from used
      union all select false, points, expire from rate_limits where key = $1 and not exists (select from used)`,
    values: [key, points, now, now + seconds * 1000, most],
  })
  const [row] = rows
  return { isTaken: row?.taken ?? false, points: row?.points ?? 0, expire: Number(row?.expire ?? now) }
}

/** Refunds uses only within their window: a later refund would allow an extra use in the next window. */
export async function returnUse(pool: Pool, { key, points, now }: Use): Promise<void> {
  await pool.query({
    name: 'return-use',
    text: 'update rate_limits set points = greatest(0, points - $2::int) where key = $1 and expire > $3::bigint',
    values: [key, points, now],
  })
}
