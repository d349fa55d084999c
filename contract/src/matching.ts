import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Done } from './ids.ts'
import { rateLimits } from './rate-limits.ts'

/** The numbers that ranking currently uses. */
export const MatchingRules = z.object({
  constants: z.record(z.string(), z.number()),
  /** Every feature that training can weight, with its current weight. */
  features: z.array(z.object({ name: z.string(), weight: z.number() })),
  /**
   * What ranking assumes about people before they decide: how much each interest adds to their tendency to say yes and
   * to be liked, in logits, and how widely people vary around that, as a variance.
   */
  expected: z
    .object({
      interests: z.array(z.object({ interest: z.string(), says: z.number(), receives: z.number() })),
      saysVariance: z.number(),
      receivesVariance: z.number(),
    })
    .optional(),
  /** The model in use; 0 is the built-in defaults. */
  modelVersion: z.int(),
  trainedAt: z.iso.datetime({ offset: true }).nullable(),
  /** The daily like limit, null if there is none. */
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
