import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Done } from './ids.ts'
import { rateLimits } from './rate-limits.ts'

/** The numbers of ranking, as the code has them. */
export const MatchingRules = z.object({
  constants: z.record(z.string(), z.number()),
  /** Every feature that may be learned from, with its present weight. */
  features: z.array(z.object({ name: z.string(), weight: z.number() })),
  /**
   * What is expected of people before they decide: how much each interest adds to how readily they say yes and are said
   * yes to, in logits, and how far people are from it, as a variance.
   */
  expected: z
    .object({
      interests: z.array(z.object({ interest: z.string(), says: z.number(), receives: z.number() })),
      saysVariance: z.number(),
      receivesVariance: z.number(),
    })
    .optional(),
  /** Version of the model in use; 0 is the default before any training. */
  modelVersion: z.int(),
  trainedAt: z.iso.datetime({ offset: true }).nullable(),
  /** Likes a day, null without a limit. */
  dailyLikes: z.int().nullable(),
})
export type MatchingRules = z.infer<typeof MatchingRules>

export const getMatchingRules = endpoint({
  method: 'GET',
  path: '/api/matching',
  summary: 'How matching works: the constants and weights in use.',
  access: 'public',
  response: MatchingRules,
})

export const resetLearning = endpoint({
  method: 'DELETE',
  path: '/api/matching/learning',
  summary: 'Forget what ranking has learned from me. Likes and passes stay.',
  access: 'member',
  limit: rateLimits.learningResets,
  response: Done,
  errors: ['rate_limited'],
})

export const matchingEndpoints = [getMatchingRules, resetLearning] as const
