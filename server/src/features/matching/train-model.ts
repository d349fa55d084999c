import { setImmediate } from 'node:timers/promises'
import { after, days } from '../../platform/clock.ts'
import { notFound } from '../../platform/errors.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { matchingConstants as constants } from './constants.ts'
import { lockStandings, putStandings, type Standing } from './learning.queries.ts'
import { defaultModel, namedWeights } from './model.ts'
import { fillRow, productFeatures } from './pair.ts'
import { forgetModel, type KeptModel, rankingOf } from './ranking.ts'
import { sigmoid } from './ridge.ts'
import { trainAside } from './train-aside.ts'
import {
  type DecisionRow,
  findDeciders,
  findShownDecisions,
  findTraits,
  insertModel,
  putActive,
  withTrainingLock,
} from './training.queries.ts'
import type { Batch, Quality, Trained } from './training.ts'
import type { Traits } from './traits.ts'

type Training = Pick<Platform, 'db' | 'pool' | 'clock' | 'log'>

/** What came of a night's training. `published` is the new version in use. */
export type Night =
  | { outcome: 'busy' }
  | { outcome: 'too_little'; decisions: number; recent: number }
  | { outcome: 'not_better'; decisions: number; quality: Quality; before: Quality }
  | { outcome: 'published'; decisions: number; quality: Quality; before: Quality; version: number }

const peopleAtOnce = 200
const traitsAtOnce = 5_000
/** Rows that are made before requests get their turn. */
const rowsAtOnce = 2_000

const chunks = <T>(list: readonly T[], size: number) =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, place) => list.slice(place * size, (place + 1) * size))

async function readDecisions({ db, clock }: Training, viewers: readonly string[]): Promise<DecisionRow[]> {
  const since = after(clock.now(), -days(constants.trainingDays))
  const decisions: DecisionRow[] = []
  for (const some of chunks(viewers, peopleAtOnce))
    decisions.push(...(await findShownDecisions(db, some, since, constants.trainingDecisionsEach)))
  return decisions
}

async function readTraits({ db, clock }: Training, ids: readonly string[]): Promise<Map<string, Traits>> {
  const today = clock.now().toISOString().slice(0, 10)
  const people = new Map<string, Traits>()
  for (const some of chunks(ids, traitsAtOnce))
    for (const row of await findTraits(db, some, today)) {
      const { user_id: id, years: age, traits, avoids, languages, interests_1, interests_2, sheet } = row
      const interests = [interests_1, interests_2] as const
      people.set(id, { id, age, traits, avoids, languages, interests, a: 0, b: 0, sheet: sheet ?? undefined })
    }
  return people
}

/** Lists for the worker. Decisions of people who have gone meanwhile are left out. */
async function batchOf(
  decisions: readonly DecisionRow[],
  people: ReadonlyMap<string, Traits>,
  rarity: ArrayLike<number>,
  recentSince: Date,
): Promise<{ batch: Batch; ids: string[] }> {
  const usable = decisions.filter(({ actor_id, target_id }) => people.has(actor_id) && people.has(target_id))
  const ids = [...people.keys()]
  const places = new Map(ids.map((id, place) => [id, place]))
  const columns = productFeatures.length
  const rows = new Float64Array(usable.length * columns)
  for (const [place, { actor_id, target_id, distance_km }] of usable.entries()) {
    const [one, other] = [people.get(actor_id), people.get(target_id)]
    if (!one || !other) continue
    if (place % rowsAtOnce === 0) await setImmediate()
    fillRow(rows.subarray(place * columns, (place + 1) * columns), one, other, distance_km, rarity)
  }
  const batch: Batch = {
    ...{ people: ids.length, rows, columns },
    actors: Int32Array.from(usable, ({ actor_id }) => places.get(actor_id) ?? 0),
    targets: Int32Array.from(usable, ({ target_id }) => places.get(target_id) ?? 0),
    labels: Uint8Array.from(usable, ({ yes }) => Number(yes)),
    recent: Uint8Array.from(usable, ({ decided_at }) => Number(decided_at >= recentSince)),
  }
  return { batch, ids }
}

/** The sums of the Newton steps that go with the effects: what the day's decisions are added to. */
function standingsOf(ids: readonly string[], batch: Batch, { learned, typical, effects }: Trained): Standing[] {
  const standings = ids.map((user_id, place) => ({
    ...{ user_id, says_yes: effects.says[place] ?? 0, is_liked: effects.receives[place] ?? 0 },
    ...{ made_weight: 0, received_weight: 0, made: 0, received: 0 },
  }))
  for (const [place, actor] of batch.actors.entries()) {
    const [one, other] = [standings[actor], standings[batch.targets[place] ?? -1]]
    if (!one || !other) continue
    const p = sigmoid(learned.intercept + typical + one.says_yes + other.is_liked)
    one.made++
    one.made_weight += p * (1 - p)
    other.received++
    other.received_weight += p * (1 - p)
  }
  return standings
}

/** When everybody's decisions were learned from, the exact effects take the place of those of the day. */
async function putEffects(platform: Platform, standings: readonly Standing[]): Promise<void> {
  for (const some of chunks(standings, peopleAtOnce)) {
    const ids = some.map(({ user_id }) => user_id)
    await transaction(platform, async (tx) => {
      const learnable = new Set((await lockStandings(tx.db, ids)).map(({ user_id }) => user_id))
      await putStandings(
        tx.db,
        some.filter(({ user_id }) => learnable.has(user_id)),
      )
    })
  }
}

async function publish(platform: Platform, trained: Trained, decisions: number): Promise<number> {
  const { learned, typical, quality, before } = trained
  const { combine } = defaultModel
  const kept: KeptModel = { intercept: learned.intercept, weights: namedWeights(learned), combine, typical }
  const now = platform.clock.now()
  const version = await transaction(platform, async (tx) => {
    const made = await insertModel(tx.db, kept, { decisions, ...quality, before }, now, constants.modelsKept)
    await putActive(tx.db, made)
    return made
  })
  forgetModel(platform)
  return version
}

async function trainOnce(platform: Platform): Promise<Night> {
  const now = platform.clock.now()
  const viewers = await findDeciders(platform.db, now.toISOString().slice(0, 10), constants.trainingPeople)
  const decisions = await readDecisions(platform, viewers)
  const people = await readTraits(platform, [
    ...new Set(decisions.flatMap(({ actor_id, target_id }) => [actor_id, target_id])),
  ])
  const { model, rarity } = await rankingOf(platform)
  const { batch, ids } = await batchOf(decisions, people, rarity, after(now, -days(constants.validationDays)))
  const count = batch.labels.length
  const recent = batch.recent.reduce((sum, one) => sum + one, 0)
  if (count - recent < constants.trainingLeast || recent < constants.validationLeast)
    return { outcome: 'too_little', decisions: count, recent }
  const trained = await trainAside(batch, defaultModel, model)
  const { quality, before } = trained
  if (!trained.isBetter) return { outcome: 'not_better', decisions: count, quality, before }
  const version = await publish(platform, trained, count)
  if (viewers.length < constants.trainingPeople) await putEffects(platform, standingsOf(ids, batch, trained))
  return { outcome: 'published', decisions: count, quality, before, version }
}

/**
 * Learns from the decisions of half a year on people who were shown, measures the result on the last week, and puts it
 * into use when it is not worse than what is in use. One process at a time; `busy` when another one is at it.
 */
export async function trainModel(platform: Platform): Promise<Night> {
  const night = (await withTrainingLock(platform.pool, () => trainOnce(platform))) ?? ({ outcome: 'busy' } as const)
  platform.log.info({ night }, 'training')
  return night
}

/**
 * Puts a kept version into use, 0 for the defaults; `alongside` is kept with it. Throws not found when it is not kept any
 * more.
 */
export async function activateModel(
  platform: Platform,
  version: number,
  alongside: (tx: Tx) => Promise<void> = async () => undefined,
): Promise<void> {
  await transaction(platform, async (tx) => {
    if (!(await putActive(tx.db, version))) throw notFound()
    await alongside(tx)
  })
  forgetModel(platform)
}
