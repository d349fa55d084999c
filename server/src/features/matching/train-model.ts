import type pg from 'pg'
import { notFound } from '../../platform/errors.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { readBatch } from './batch.ts'
import { type NamedBeliefs, namedBeliefs, readBeliefs } from './beliefs.ts'
import { matchingConstants as constants } from './constants.ts'
import type { Interval } from './evaluation.ts'
import { settledUntil } from './learning.ts'
import { defaultModel, namedWeights, readWeights } from './model.ts'
import { centreTallies, putEffects, shiftLater, shiftTallies } from './put-effects.ts'
import { findActive } from './ranking.queries.ts'
import { forgetModel, type KeptModel, rankingOf } from './ranking.ts'
import { trainAside } from './train-aside.ts'
import { findKept, insertModel, markActive, withTrainingLock } from './training.queries.ts'
import { hasBothAnswers, type Learned, type Quality, type Trained } from './training.ts'

interface Compared {
  decisions: number
  quality: Quality
  /** The best that the kept models reach. */
  before: Quality
  /** Over the best of them, on the exploring cards; undefined where these were too few. */
  gain: Interval | undefined
}

/** What came of a night's training. `published` is the new version in use. */
export type Night =
  | { outcome: 'busy' }
  | { outcome: 'too_little'; decisions: number; recent: number }
  | ({ outcome: 'not_better' } & Compared)
  | ({ outcome: 'published'; version: number } & Compared)

/** The defaults of the code and all versions that are kept. */
async function keptModels({ db }: Pick<Platform, 'db'>): Promise<Learned[]> {
  const kept = (await findKept(db)) as KeptModel[]
  const read = ({ intercept, weights, beliefs }: KeptModel): Learned => ({
    intercept,
    weights: readWeights(weights),
    beliefs: readBeliefs(beliefs),
  })
  const { intercept, weights, beliefs } = defaultModel
  return [{ intercept, weights, beliefs }, ...kept.map(read)]
}

async function publish(platform: Platform, trained: Trained, compared: Compared): Promise<number> {
  const { learned, typical } = trained
  const { combine } = defaultModel
  const { decisions, quality, before, gain } = compared
  const { intercept } = learned
  const kept: KeptModel = {
    intercept,
    weights: namedWeights(learned),
    combine,
    typical,
    beliefs: namedBeliefs(learned.beliefs),
  }
  const now = platform.clock.now()
  const version = await transaction(platform, async (tx) => {
    const made = await insertModel(tx.db, kept, { decisions, ...quality, before, gain }, now, constants.modelsKept)
    await markActive(tx.db, made)
    return made
  })
  forgetModel(platform)
  return version
}

async function trainOnce(platform: Platform): Promise<Night> {
  const readAt = settledUntil(platform.clock.now())
  const { rarity, model: before } = await rankingOf(platform)
  const reading = await readBatch(platform, readAt, rarity)
  const { batch } = reading
  const decisions = batch.labels.length
  const recent = batch.recent.reduce((sum, one) => sum + one, 0)
  const isFew = decisions - recent < constants.trainingLeast || recent < constants.validationLeast
  if (isFew || !hasBothAnswers(batch)) return { outcome: 'too_little', decisions, recent }
  const trained = await trainAside(batch, defaultModel, await keptModels(platform))
  const { quality, before: best, gain } = trained
  const compared: Compared = { decisions, quality, before: best, gain }
  const version = trained.isBetter ? await publish(platform, trained, compared) : undefined
  const { model } = await rankingOf(platform)
  if (version !== undefined && !reading.isEverybody) await shiftTallies(platform, before.beliefs, model.beliefs)
  await centreTallies(platform, model.beliefs)
  if (version === undefined) return { outcome: 'not_better', ...compared }
  if (reading.isEverybody) await putEffects(platform, reading, trained, { readAt, model })
  return { outcome: 'published', ...compared, version }
}

/**
 * Learns from the decisions of half a year on people who were shown, measures the result on the last week beside all kept
 * versions, and puts it into use when it is better than the best of them; `train` says by what. One process at a time;
 * `busy` when another one is at it.
 */
export async function trainModel(platform: Platform, locks: pg.Pool = platform.pool): Promise<Night> {
  const night = (await withTrainingLock(locks, () => trainOnce(platform))) ?? ({ outcome: 'busy' } as const)
  platform.log.info({ night }, 'training')
  return night
}

async function beliefsInUse({ db }: Pick<Tx, 'db'>): Promise<NamedBeliefs> {
  const row = await findActive(db)
  return namedBeliefs(readBeliefs(row ? (row.weights as KeptModel).beliefs : undefined))
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
    const before = await beliefsInUse(tx)
    if (!(await markActive(tx.db, version))) throw notFound()
    const now = await beliefsInUse(tx)
    if (JSON.stringify(before) !== JSON.stringify(now)) await shiftLater(tx, { before, now })
    await alongside(tx)
  })
  forgetModel(platform)
}
