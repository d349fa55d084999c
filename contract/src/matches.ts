import { z } from 'zod'
import { interestIds, promptIds } from './catalogue.ts'
import { endpoint } from './endpoint.ts'
import { Done, Timestamp, UserId } from './ids.ts'
import { intents } from './limits.ts'
import { Photo } from './photos.ts'

/** A first message made from both profiles; the web app puts it into words. */
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
  /** Three ways to begin. */
  openers: z.array(Opener),
  /** Whether anybody has written yet. */
  hasMessages: z.boolean(),
})
export type Match = z.infer<typeof Match>

export const listMatches = endpoint({
  method: 'GET',
  path: '/api/matches',
  summary: 'My matches, newest first.',
  access: 'member',
  response: z.object({ matches: z.array(Match) }),
  errors: ['rate_limited'],
})

export const unmatch = endpoint({
  method: 'DELETE',
  path: '/api/matches/:userId',
  summary: 'End a match: the conversation ends for both, and neither is shown to the other again.',
  access: 'member',
  params: z.object({ userId: UserId }),
  response: Done,
  errors: ['not_found', 'rate_limited'],
})

export const matchEndpoints = [listMatches, unmatch] as const

export const matchEvents = {
  /** A new match; told to both people on every device. */
  match: Match,
  /** A match has ended, by whomever. */
  match_ended: z.object({ userId: UserId }),
} as const
