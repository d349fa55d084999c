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

/** How long a process uses what it has read. */
const trustedFor = { model: minutes(1), surroundings: minutes(10) }

export interface KeptModel {
  intercept: number
  weights: Record<string, number>
  combine: Combine
  typical: number
  /** Missing in models from before there were any. */
  beliefs?: NamedBeliefs
}

/** The active model, and the statistics that all scores depend on. */
export interface Ranking extends Surroundings {
  model: RankingModel
  trainedAt: Date | null
  /** The logarithm of how few people speak each language, in catalogue order. */
  languageRarity: Float64Array
}

interface Known {
  model?: { value: Pick<Ranking, 'model' | 'trainedAt'>; at: number } | undefined
  surroundings?: { value: Omit<Ranking, 'model' | 'trainedAt'>; at: number }
  reading?: boolean
}

/** By pool, which a platform and its transactions share. */
const known = new WeakMap<Platform['pool'], Known>()

type Ranked = Pick<Platform, 'db' | 'pool' | 'clock'> & Partial<Pick<Platform, 'log'>>

/** ln(people / people who have it), plus one in each, so that it is finite if nobody has it. */
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

/** Reads the statistics again in the background. The old values serve until then, and after a failure. */
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

/** The active model (at most a minute old) and the statistics (about ten). */
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

/** Call when another model becomes active, so that the next use reads it. */
export function forgetModel(platform: Pick<Platform, 'pool'>): void {
  const last = known.get(platform.pool)
  if (last) last.model = undefined
}
