import type { Reads } from '../../platform/database/read-replicas.ts'
import { countPool, type PoolCounts, type Searching } from './candidates.queries.ts'
import { apart, fits, fitsMe, fitsThem, isBeyond, searcherFrom, showsItself } from './fits.queries.ts'

/** The size of the sample, and the factor by which it grows if too few people in it fit. */
const sampled = 20_000
const widened = 10

interface Anywhere {
  /** People within this distance, in these cells, are counted exactly. */
  nearKm: number
  cells: readonly string[]
  most: number
  sample?: number
}

const map = (counts: PoolCounts, change: (count: number, of: keyof PoolCounts) => number): PoolCounts => ({
  ...{ i_see: change(counts.i_see, 'i_see'), see_me: change(counts.see_me, 'see_me') },
  both: change(counts.both, 'both'),
})

/**
 * Like `countPool`, but without a distance limit. Counts people nearby exactly, so that no shorter distance gives a
 * higher count, and estimates people farther away from a sample. The sample is the people whose random ids follow the
 * searcher's. It is always the same, so that counts for different filters can be compared. If fewer than five people in
 * it fit, a larger sample is read. A count below five is never scaled up, because the result would reveal a single
 * person.
 */
export async function estimatePool(reads: Reads, searching: Searching, anywhere: Anywhere): Promise<PoolCounts> {
  const { nearKm, cells, most, sample = sampled } = anywhere
  const near = await countPool(reads, { ...searching, me: { ...searching.me, reach: nearKm } }, { cells, most })
  let far = await countFar(reads, searching, nearKm, sample)
  if (far.isPart && far.fewest < 5) far = await countFar(reads, searching, nearKm, sample * widened)
  return map(near, (count, of) => {
    const found = far.counts[of]
    return Math.min(most, count + (found < 5 ? found : Math.round(found * far.scale)))
  })
}

async function countFar(reads: Reads, { viewerId, me: viewer }: Searching, nearKm: number, sample: number) {
  const part = (side: string) => `(select ${side} as part, * from candidates
    where user_id ${side === '0' ? '>' : '<'} $1 order by user_id limit $3)`
  const text = `with me as materialized (select * from ${searcherFrom('$2')}), apart as materialized (${apart}),
      sample as materialized (select * from (${part('0')} union all ${part('1')}) both_parts order by part, user_id limit $3),
      fitting as (select ${fitsMe} as i_see, ${fitsThem} as see_me from me cross join sample c
        where ${fits.reach} and ${isBeyond(nearKm)} and ${showsItself} and c.user_id not in (select * from apart))
    select count(*) filter (where i_see)::int as i_see, count(*) filter (where see_me)::int as see_me,
      count(*) filter (where i_see and see_me)::int as both, (select count(*) from sample)::int as sampled,
      (select greatest(reltuples, 0) from pg_class where oid = 'candidates'::regclass)::int as people
    from fitting`
  const { rows: found } = await reads.query<PoolCounts & { sampled: number; people: number }>({
    text,
    values: [viewerId, JSON.stringify(viewer), sample],
  })
  const { sampled: looked, people, ...counts } = found[0] as (typeof found)[number]
  const isPart = looked === sample
  const scale = isPart ? Math.max(1, people / looked) : 1
  return { counts, isPart, scale, fewest: Math.min(counts.i_see, counts.see_me, counts.both) }
}
