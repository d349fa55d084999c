import { seconds } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { matchingConstants as constants } from './constants.ts'
import { clearLearned, lockStandings, putStandings, type Standing } from './learning.queries.ts'
import type { Model } from './model.ts'
import { rankingOf } from './ranking.ts'
import { sigmoid } from './ridge.ts'

/** Somebody said yes or no to somebody. */
export interface Heard {
  actorId: string
  targetId: string
  yes: boolean
}

export interface Learning {
  /** Takes note; what follows is written within ten seconds. */
  onDecided(actorId: string, targetId: string, yes: boolean): void
  /** Writes what was noted. What cannot be written is tried once more. */
  flush(): Promise<void>
  /** Forgets what was learned from and about somebody. Their likes and passes stay, and are not learned from again. */
  forget(userId: string): Promise<void>
  /** Writes what is left and stops. */
  close(): Promise<void>
}

const flushEvery = seconds(10)
/** People whose rows one statement locks, at most about twice this. */
const batchSize = 500
const mostNoted = 100_000

const nobody = (user_id: string): Standing => ({
  ...{ user_id, says_yes: 0, is_liked: 0 },
  ...{ made_weight: 0, received_weight: 0, made: 0, received: 0 },
})

/**
 * One Newton step for each decision, for the one who decided and the one who was decided on: a += (y - p) / (1/2 + sum
 * of p(1-p)), b += (y - p) / (1 + sum), the sums over all decisions so far. With the prior's precision in them it is the
 * one-pass Gaussian approximation of the posterior (assumed density filtering; Opper, 1998). Changes `standings`.
 */
export function learnFrom(heard: readonly Heard[], standings: Map<string, Standing>, model: Model): void {
  for (const { actorId, targetId, yes } of heard) {
    const actor = standings.get(actorId)
    if (!actor) continue
    const target = standings.get(targetId)
    const { is_liked } = target ?? nobody(targetId)
    const p = sigmoid(model.intercept + model.typical + actor.says_yes + is_liked)
    const residual = (yes ? 1 : 0) - p
    const weight = p * (1 - p)
    actor.made_weight += weight
    actor.made++
    actor.says_yes += residual / (1 / constants.saysVariance + actor.made_weight)
    if (!target) continue
    target.received_weight += weight
    target.received++
    target.is_liked += residual / (1 / constants.receivesVariance + target.received_weight)
  }
}

async function write(platform: Platform, heard: readonly Heard[]): Promise<void> {
  const { model } = await rankingOf(platform)
  const ids = [...new Set(heard.flatMap(({ actorId, targetId }) => [actorId, targetId]))].sort()
  await transaction(platform, async (tx) => {
    const standings = new Map((await lockStandings(tx.db, ids)).map((row) => [row.user_id, row]))
    learnFrom(heard, standings, model)
    if (standings.size > 0) await putStandings(tx.db, [...standings.values()])
  })
}

/** In batches, each tried twice. What cannot be written is left to nightly training. */
async function writeAll(platform: Platform, heard: readonly Heard[]): Promise<void> {
  for (let from = 0; from < heard.length; from += batchSize) {
    const batch = heard.slice(from, from + batchSize)
    await write(platform, batch)
      .catch(() => write(platform, batch))
      .catch((err) => platform.log.warn({ err, decisions: batch.length }, 'decisions could not be learned from'))
  }
}

/**
 * Learns how readily people say yes and are said yes to, as they decide. Decisions are noted in memory and written
 * every ten seconds, so that somebody whom many decide on is one update and not a queue. A crash loses what was noted
 * since; nightly training finds it again where it reads everybody's decisions.
 */
export function createLearning(platform: Platform): Learning {
  let noted: Heard[] = []
  let writing: Promise<void> = Promise.resolve()
  const flush = () => {
    writing = writing.then(() => writeAll(platform, noted.splice(0)))
    return writing
  }
  const timer = setInterval(() => void flush(), flushEvery)
  return {
    onDecided(actorId, targetId, yes) {
      if (noted.length < mostNoted) noted.push({ actorId, targetId, yes })
    },
    flush,
    forget: async (userId) => {
      noted = noted.filter(({ actorId, targetId }) => actorId !== userId && targetId !== userId)
      await writing
      await transaction(platform, (tx) => clearLearned(tx.db, userId))
    },
    close: () => {
      clearInterval(timer)
      return flush()
    },
  }
}
