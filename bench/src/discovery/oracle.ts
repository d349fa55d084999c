import type pg from 'pg'
import { getSearcher, searchCandidates } from '../../../server/src/features/candidates/candidates.ts'
import { searchBounds } from '../../../server/src/features/candidates/search-bounds.ts'
import { wideCellsAround } from '../../../server/src/features/cells/cells.ts'
import { likersOf } from '../../../server/src/features/likes/lists.ts'
import { after } from '../../../server/src/platform/clock.ts'
import type { Platform } from '../../../server/src/platform/platform.ts'

/** SQL for one person's dealbreaker about one item. The other person passes it if they haven't answered. */
const accepts = (wisher: string, other: string, item: string) => `(
  ${other}.${item} is null or not coalesce((${wisher}.preferences -> '${item}' ->> 'dealbreaker')::boolean, false)
  or jsonb_array_length(${wisher}.preferences -> '${item}' -> 'accepts') = 0 or ${wisher}.preferences -> '${item}' -> 'accepts' ? ${other}.${item})`
const acceptsSome = (wisher: string, other: string, item: string) => `(
  cardinality(${other}.${item}) = 0 or not coalesce((${wisher}.preferences -> '${item}' ->> 'dealbreaker')::boolean, false)
  or jsonb_array_length(${wisher}.preferences -> '${item}' -> 'accepts') = 0 or ${wisher}.preferences -> '${item}' -> 'accepts' ?| ${other}.${item})`
const acceptsHeight = (wisher: string, other: string) => `(
  ${other}.height_cm is null or not coalesce((${wisher}.preferences -> 'height' ->> 'dealbreaker')::boolean, false)
  or ${other}.height_cm between (${wisher}.preferences -> 'height' ->> 'min')::int and (${wisher}.preferences -> 'height' ->> 'max')::int)`

const oneWay = (wisher: string, other: string) => `
  (cardinality(${wisher}.interested_in) = 0 or ${other}.gender = any(${wisher}.interested_in))
  and extract(year from age($2::date, ${other}.birth_date)) between ${wisher}.age_min and case when ${wisher}.age_max < 99 then ${wisher}.age_max else 200 end
  and ${['children', 'smoking', 'drinking', 'diet'].map((item) => accepts(wisher, other, item)).join(' and ')}
  and ${['intents', 'languages'].map((item) => acceptsSome(wisher, other, item)).join(' and ')} and ${acceptsHeight(wisher, other)}`

/** Finds everyone who fits, directly from the rules: a scan of the full tables without an index. */
const query = `
  select p.user_id as id, p.gender, p.max_distance_km is null as anywhere, wide_cell(l.published_cell)::text as cell
  from profiles me join locations ml on ml.user_id = me.user_id cross join profiles p join locations l on l.user_id = p.user_id
  where me.user_id = $1 and p.user_id <> me.user_id and not p.hidden and not p.paused
    and ${oneWay('me', 'p')} and ${oneWay('p', 'me')}
    and centre_distance_km(ml.latitude, ml.longitude, l.latitude, l.longitude) < least(me.max_distance_km, p.max_distance_km, 40000)
    and not exists (select from decisions d where d.actor_id = me.user_id and d.target_id = p.user_id)
    and not exists (select from blocks b where b.blocker_id in (me.user_id, p.user_id) and b.blocked_id in (me.user_id, p.user_id))
    and not exists (select from matches m where m.user_lo in (me.user_id, p.user_id) and m.user_hi in (me.user_id, p.user_id) and m.ended_at is not null)`

interface Fitting {
  id: string
  gender: string | null
  anywhere: boolean
  cell: string
}

async function reachOf(pool: pg.Pool, viewerId: string): Promise<{ cell: string; km: number | null }> {
  const { rows } = await pool.query(
    'select cell, max_distance_km as km from locations join profiles using (user_id) where user_id = $1',
    [viewerId],
  )
  return rows[0]
}

const days = 10

/**
 * Throws if a viewer in a crowd sees much the same people every day, while others who also fit never appear. The
 * simulated days lie in the past, so the cached decisions are loaded again.
 */
async function verifyChances(platform: Platform, viewerId: string, crowd: readonly Fitting[]): Promise<void> {
  const seen = new Map<string, number>()
  for (let day = 0; day < days; day++) {
    const clock = { now: () => after(platform.clock.now(), -day * 86_400_000) }
    const then = { ...platform, clock }
    const found = await searchCandidates(then, await getSearcher(then, viewerId), [])
    for (const { id } of found ?? []) seen.set(id, (seen.get(id) ?? 0) + 1)
  }
  const times = crowd.flatMap(({ id }) => seen.get(id) ?? [])
  const aDay = times.reduce((sum, count) => sum + count, 0) / days
  if (times.length < aDay * 1.5)
    throw new Error(`${viewerId}: in ${days} days ${times.length} of a crowd of ${crowd.length}, ${aDay} a day`)
}

/** Throws unless the search finds only people who fit, and all of them within its limits. */
export async function verify(platform: Platform, ownerPool: pg.Pool, viewerId: string): Promise<number> {
  const today = platform.clock.now().toISOString().slice(0, 10)
  const { rows: fitting } = await ownerPool.query<Fitting>(query, [viewerId, today])
  const searcher = await getSearcher(platform, viewerId)
  const search = await searchCandidates(platform, searcher, await likersOf(platform, viewerId))
  const found = new Set(search?.map(({ id }) => id))
  const accepted = new Set(fitting.map(({ id }) => id))
  const wrong = [...found].filter((id) => !accepted.has(id))
  if (wrong.length > 0) throw new Error(`${viewerId}: found ${wrong.length} people who do not fit, first ${wrong[0]}`)

  const { cell, km } = await reachOf(ownerPool, viewerId)
  const cells = new Set(wideCellsAround(cell, km ?? searchBounds.farthestKm))
  const groups = new Map<string, Fitting[]>()
  for (const one of fitting.filter((candidate) => cells.has(candidate.cell))) {
    const group = `${one.cell} ${one.gender}`
    groups.set(group, [...(groups.get(group) ?? []), one])
  }
  const here = wideCellsAround(cell, 0)[0]
  for (const group of groups.values())
    if (group[0]?.cell === here && group.length > 2 * searchBounds.perCell)
      await verifyChances(platform, viewerId, group)
  const due = (group: Fitting[]) => Math.min(group.length, searchBounds.perCell)
  const near = [...groups.values()].reduce((sum, group) => sum + due(group), 0)
  if (near >= searchBounds.most) {
    if (found.size < searchBounds.most) throw new Error(`${viewerId}: found ${found.size} of at least ${near}`)
    return found.size
  }
  for (const group of groups.values()) {
    const there = group.filter(({ id }) => found.has(id)).length
    if (there < due(group)) throw new Error(`${viewerId}: found ${there} of ${group.length} in a cell`)
  }
  const far = fitting.filter(({ anywhere }) => km === null && anywhere)
  const there = far.filter(({ id }) => found.has(id)).length
  if (there < Math.min(searchBounds.anywhere, far.length))
    throw new Error(`${viewerId}: found ${there} of ${far.length} anywhere`)
  return found.size
}
