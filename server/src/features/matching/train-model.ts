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
  before: Quality
  /** The gain over the best of the kept models on exploration cards; undefined if there were too few. */
  gain: Interval | undefined
}

/** `published` means that the new version is active. */
export type Night =
  | { outcome: 'busy' }
  | { outcome: 'too_little'; decisions: number; recent: number }
  | ({ outcome: 'not_better' } & Compared)
  | ({ outcome: 'published'; version: number } & Compared)

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
 * Trains on half a year of decisions about people who were shown, compares the result with all kept versions on the
 * last week, and activates it if it is better than the best of them (see `train`). Runs in one process at a time;
 * returns `busy` if another process is training.
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
 * Activates a kept version, or the defaults for version 0. `alongside` runs in the same transaction. Throws not found
 * if the version is no longer stored.
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
