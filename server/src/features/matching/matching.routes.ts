import * as contract from '@duet/contract/matching.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Serve } from '../../platform/serve.ts'
import { operatorSettings } from '../settings/settings.ts'
import { matchingConstants } from './constants.ts'
import { namedWeights } from './model.ts'
import { rankingOf } from './ranking.ts'

const resets = { name: 'learning_resets', points: 20, seconds: 3_600 }

/** `resetLearning` forgets what was learned from a person. */
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
    return { constants, features, modelVersion: model.version, trainedAt: trainedAt?.toISOString() ?? null, dailyLikes }
  })
  serve(contract.resetLearning, async (_input, { viewer }) => {
    await platform.limits.spendHere(resets, viewer.id)
    await resetLearning(viewer.id)
    return { ok: true } as const
  })
}
