import { setImmediate } from 'node:timers/promises'
import { shownAge } from '../../platform/age.ts'
import { after, days } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'
import { matchingConstants as constants } from './constants.ts'
import { fillRow, productFeatures } from './pair.ts'
import { findDeciders, findShownDecisions, findTraits, type Period, type TrainingDecision } from './training.queries.ts'
import { type Batch, stages } from './training.ts'
import type { Traits } from './traits.ts'

const peopleAtOnce = 200
const traitsAtOnce = 5_000
/** Rows to build before yielding to other requests. */
const rowsAtOnce = 2_000

type Known = Omit<Traits, 'age'> & { birthDate: string }

export interface Reading {
  batch: Batch
  /** The people's ids, by their index in `batch`. */
  ids: string[]
  /** Whether everyone who has decided is included. */
  isEverybody: boolean
  /** People whose decisions were only partly read. */
  cut: Set<string>
}

export const chunks = <T>(list: readonly T[], size: number) =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, place) => list.slice(place * size, (place + 1) * size))

async function readTraits(db: Platform['db'], ids: readonly string[]): Promise<Map<string, Known>> {
  const people = new Map<string, Known>()
  for (const some of chunks(ids, traitsAtOnce))
    for (const row of await findTraits(db, some)) {
      const { user_id: id, birth_date: birthDate, traits, avoids, languages, interests_1, interests_2, sheet } = row
      const interests = [interests_1, interests_2] as const
      people.set(id, { id, birthDate, traits, avoids, languages, interests, a: 0, b: 0, sheet: sheet ?? undefined })
    }
  return people
}

function then(people: ReadonlyMap<string, Known>, id: string, moment: Date): Traits {
  const known = people.get(id) as Known
  return { ...known, age: shownAge(known.birthDate, moment) }
}

/**
 * Builds the arrays for the training worker, with people's ages at the time of each decision. Skips decisions about
 * people whose account is gone.
 */
async function batchOf(
  decisions: readonly TrainingDecision[],
  people: ReadonlyMap<string, Known>,
  rarity: ArrayLike<number>,
): Promise<{ batch: Batch; ids: string[] }> {
  const usable = decisions.filter(({ actor_id, target_id }) => people.has(actor_id) && people.has(target_id))
  const ids = [...people.keys()]
  const places = new Map(ids.map((id, place) => [id, place]))
  const columns = productFeatures.length
  const rows = new Float64Array(usable.length * columns)
  for (const [place, { actor_id, target_id, decided_at, distance_km }] of usable.entries()) {
    if (place % rowsAtOnce === 0) await setImmediate()
    const one = then(people, actor_id, decided_at)
    const other = then(people, target_id, decided_at)
    fillRow(rows.subarray(place * columns, (place + 1) * columns), one, other, distance_km, rarity)
  }
  const batch: Batch = {
    people: ids.length,
    rows,
    columns,
    interests: Int32Array.from([...people.values()].flatMap(({ interests }) => [...interests])),
    actors: Int32Array.from(usable, ({ actor_id }) => places.get(actor_id) ?? 0),
    targets: Int32Array.from(usable, ({ target_id }) => places.get(target_id) ?? 0),
    labels: Uint8Array.from(usable, ({ yes }) => Number(yes)),
    stages: Uint8Array.from(usable, ({ words }) => stages.indexOf(words ? 'words' : 'like')),
    recent: Uint8Array.from(usable, ({ recent }) => Number(recent)),
    exploring: Float64Array.from(usable, ({ exploring }) => exploring),
  }
  return { batch, ids }
}

/**
 * People for whom the query returned `most` decisions before or during the validation days: they may have made more.
 */
function cutAt(decisions: readonly TrainingDecision[], most: number): Set<string> {
  const counts = { before: new Map<string, number>(), recent: new Map<string, number>() }
  for (const { actor_id, recent } of decisions) {
    const part = recent ? counts.recent : counts.before
    part.set(actor_id, (part.get(actor_id) ?? 0) + 1)
  }
  return new Set([...counts.before, ...counts.recent].flatMap(([id, count]) => (count >= most ? [id] : [])))
}

/**
 * Reads the decisions of a random sample of people, up to `now`. The fewer people decide, the more decisions of each
 * are read, so a small community is read completely.
 */
export async function readBatch({ db }: Pick<Platform, 'db'>, now: Date, rarity: ArrayLike<number>): Promise<Reading> {
  const { trainingPeople, trainingDecisionsEach, trainingDays, validationDays } = constants
  const viewers = await findDeciders(db, now.toISOString().slice(0, 10), trainingPeople)
  const most = Math.floor((trainingDecisionsEach * trainingPeople) / Math.max(1, viewers.length))
  const period: Period = {
    since: after(now, -days(trainingDays)),
    recentSince: after(now, -days(validationDays)),
    until: after(now, 1),
  }
  const decisions: TrainingDecision[] = []
  for (const some of chunks(viewers, peopleAtOnce))
    decisions.push(...(await findShownDecisions(db, some, period, most)))
  const people = await readTraits(db, [
    ...new Set(decisions.flatMap(({ actor_id, target_id }) => [actor_id, target_id])),
  ])
  return {
    ...(await batchOf(decisions, people, rarity)),
    isEverybody: viewers.length < trainingPeople,
    cut: cutAt(decisions, most),
  }
}
