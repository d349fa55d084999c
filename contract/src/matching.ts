import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Done } from './ids.ts'
import { rateLimits } from './rate-limits.ts'

export const MatchingRules = z.object({
  constants: z.record(z.string(), z.number()),
  /** Every feature that training can assign a weight to, with its current weight. */
  features: z.array(z.object({ name: z.string(), weight: z.number() })),
  /**
   * The prior for people without decisions: how much each interest adds to their tendency to like and to be liked, in
   * logits, and the variance between people.
   */
  expected: z
    .object({
      interests: z.array(z.object({ interest: z.string(), says: z.number(), receives: z.number() })),
      saysVariance: z.number(),
      receivesVariance: z.number(),
    })
    .optional(),
  modelVersion: z.int(),
  trainedAt: z.iso.datetime({ offset: true }).nullable(),
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
