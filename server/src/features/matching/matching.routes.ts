import * as contract from '@duet/contract/matching.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { operatorSettings } from '../settings/settings.ts'
import { namedBeliefs } from './beliefs.ts'
import { matchingConstants } from './constants.ts'
import { namedWeights, type RankingModel } from './model.ts'
import { rankingOf } from './ranking.ts'

function expectedBy({ beliefs }: RankingModel) {
  const { says, receives } = namedBeliefs(beliefs)
  return {
    interests: Object.entries(says.interests).map(([interest, weight]) => ({
      interest,
      says: weight,
      receives: receives.interests[interest] ?? 0,
    })),
    saysVariance: says.variance,
    receivesVariance: receives.variance,
  }
}

export function matchingRoutes(
  serve: Serve,
  platform: Platform,
  resetLearning: (userId: string) => Promise<void>,
): void {
  serve(contract.getMatchingRules, async () => {
    const { model, trainedAt } = await rankingOf(platform)
    const { dailyLikes } = await operatorSettings(platform)
    const features = Object.entries(namedWeights(model)).map(([name, weight]) => ({ name, weight }))
    const constants = { ...matchingConstants }
    const version = { modelVersion: model.version, trainedAt: trainedAt?.toISOString() ?? null }
    return { constants, features, expected: expectedBy(model), ...version, dailyLikes }
  })
  serve(contract.resetLearning, async (_input, { viewer }) => {
    await resetLearning(viewer.id)
    return { ok: true } as const
  })
}
