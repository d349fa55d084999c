import { z } from 'zod'
import { interestIds, promptIds } from './catalogue.ts'
import { endpoint } from './endpoint.ts'
import { Done, Timestamp, UserId } from './ids.ts'
import { LikedItemView } from './liked-items.ts'
import { intents } from './limits.ts'
import { Photo } from './photos.ts'
import { rateLimits } from './rate-limits.ts'

export const Opener = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('interest'), interest: z.enum(interestIds) }),
  z.object({ kind: z.literal('their_interest'), interest: z.enum(interestIds) }),
  z.object({ kind: z.literal('prompt'), prompt: z.enum(promptIds), answer: z.string() }),
  z.object({ kind: z.literal('intent'), intent: z.enum(intents) }),
  z.object({ kind: z.literal('hello') }),
])
export type Opener = z.infer<typeof Opener>

export const Match = z.object({
  user: z.object({ id: UserId, name: z.string(), photo: Photo.nullable() }),
  matchedAt: Timestamp,
  openers: z.array(Opener),
  hasMessages: z.boolean(),
  /**
   * The item that each person liked, if its owner still shows it, or null if the like was for the whole profile. The
   * comment is in the conversation.
   */
  liked: z.object({ mine: LikedItemView.nullable(), theirs: LikedItemView.nullable() }).optional(),
})
export type Match = z.infer<typeof Match>

export const listMatches = endpoint({
  method: 'GET',
  path: '/api/matches',
  summary: 'My matches, newest first.',
  access: 'member',
  limit: rateLimits.matchLists,
  response: z.object({ matches: z.array(Match) }),
  errors: ['rate_limited'],
})

export const unmatch = endpoint({
  method: 'DELETE',
  path: '/api/matches/:userId',
  summary: 'End a match: the conversation ends for both, and neither is shown to the other again.',
  access: 'member',
  limit: rateLimits.matchEndings,
  params: z.object({ userId: UserId }),
  response: Done,
  errors: ['not_found', 'rate_limited'],
})

export const matchEndpoints = [listMatches, unmatch] as const

export const matchEvents = {
  match: Match,
  /** I ended a match on one of my devices. The other person gets no event and finds out with their next request. */
  match_ended: z.object({ userId: UserId }),
} as const
