import { randomUUID } from 'node:crypto'
import { interestIds } from '@duet/contract/catalogue.ts'
import { languages } from '@duet/contract/limits.ts'
import { minutes } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'
import { type NamedBeliefs, readBeliefs } from './beliefs.ts'
import type { Combine } from './combine.ts'
import { defaultModel, type RankingModel, readWeights } from './model.ts'
import { findActive, findShares } from './ranking.queries.ts'
import type { Surroundings } from './score.ts'

/** How long a process caches what it has read. */
const trustedFor = { model: minutes(1), surroundings: minutes(10) }

export interface KeptModel {
  intercept: number
  weights: Record<string, number>
  combine: Combine
  typical: number
  /** Missing in models from before priors existed. */
  beliefs?: NamedBeliefs
}

export interface Ranking extends Surroundings {
  model: RankingModel
  trainedAt: Date | null
  /** ln(1 / share of people who speak it) for each language, in catalogue order. */
  languageRarity: Float64Array
}

interface Known {
  model?: { value: Pick<Ranking, 'model' | 'trainedAt'>; at: number } | undefined
  surroundings?: { value: Omit<Ranking, 'model' | 'trainedAt'>; at: number }
  reading?: boolean
}

/** Keyed by pool, which a platform shares with its transactions. */
const known = new WeakMap<Platform['pool'], Known>()

type Ranked = Pick<Platform, 'db' | 'pool' | 'clock'> & Partial<Pick<Platform, 'log'>>

/** ln(people / people who have it), with one added to both, so that the result is finite if nobody has it. */
function rarityOf(ids: readonly string[], counts: Record<string, number>, people: number): Float64Array {
  return Float64Array.from(ids, (id) => Math.log((people + 1) / ((counts[id] ?? 0) + 1)))
}

async function readModel({ db }: Ranked): Promise<Pick<Ranking, 'model' | 'trainedAt'>> {
  const row = await findActive(db)
  if (!row) return { model: defaultModel, trainedAt: null }
  const { intercept, weights, combine, typical, beliefs } = row.weights as KeptModel
  const learned = { intercept, weights: readWeights(weights), beliefs: readBeliefs(beliefs) }
  return {
    model: { version: row.version, ...learned, combine, typical },
    trainedAt: row.trained_at,
  }
}

async function readSurroundings({ db, clock }: Ranked): Promise<Omit<Ranking, 'model' | 'trainedAt'>> {
  const { people, interests, languages: spoken, mean_pending } = await findShares(db, randomUUID(), clock.now())
  return {
    rarity: rarityOf(interestIds, interests, people),
    languageRarity: rarityOf(languages, spoken, people),
    meanPending: mean_pending,
  }
}

/** Rereads the statistics in the background. Until then, and after a failure, the old values are used. */
function renewSurroundings(platform: Ranked, last: Known): void {
  if (last.reading) return
  last.reading = true
  const at = platform.clock.now().getTime()
  void readSurroundings(platform)
    .then((value) => {
      last.surroundings = { value, at }
    })
    .catch((err) => platform.log?.warn({ err }, 'how rare things are could not be read'))
    .finally(() => {
      last.reading = false
    })
}

/** The model is at most a minute old, the statistics about ten minutes. */
export async function rankingOf(platform: Ranked): Promise<Ranking> {
  const now = platform.clock.now().getTime()
  const last = known.get(platform.pool) ?? {}
  known.set(platform.pool, last)
  const isFresh = (kept: { at: number }, ms: number) => Math.abs(now - kept.at) < ms
  if (!last.model || !isFresh(last.model, trustedFor.model)) last.model = { value: await readModel(platform), at: now }
  if (!last.surroundings) last.surroundings = { value: await readSurroundings(platform), at: now }
  else if (!isFresh(last.surroundings, trustedFor.surroundings)) renewSurroundings(platform, last)
  return { ...last.model.value, ...last.surroundings.value }
}

/** Call it when another model becomes active. */
export function forgetModel(platform: Pick<Platform, 'pool'>): void {
  const last = known.get(platform.pool)
  if (last) last.model = undefined
}
