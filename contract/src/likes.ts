import { z } from 'zod'
import { DeckCounts } from './discovery.ts'
import { endpoint } from './endpoint.ts'
import { Cursor, Done, Timestamp, UserId } from './ids.ts'
import { LikedItem, LikedItemView } from './liked-items.ts'
import { limits } from './limits.ts'
import { Match } from './matches.ts'
import { Decision, Profile, ProfileCard } from './profiles.ts'
import { prose } from './prose.ts'
import { rateLimits } from './rate-limits.ts'

export { LikedItem, LikedItemView } from './liked-items.ts'

export const Comment = prose(1, limits.commentLength)

const userId = z.object({ userId: UserId })

export const decide = endpoint({
  method: 'PUT',
  path: '/api/decisions/:userId',
  summary: 'Like someone (or one photo or prompt of theirs, with a comment), pass, or save for later.',
  access: 'member',
  limit: rateLimits.decisions,
  standing: 'good',
  params: userId,
  body: z.discriminatedUnion('decision', [
    z.strictObject({ decision: z.literal('like'), item: LikedItem.optional(), comment: Comment.optional() }),
    z.strictObject({ decision: z.literal('pass') }),
    z.strictObject({ decision: z.literal('later') }),
  ]),
  response: z.object({ decision: Decision, match: Match.nullable(), ...DeckCounts.shape }),
  errors: ['not_found', 'conflict', 'daily_limit_reached', 'rate_limited'],
})

export const takeBack = endpoint({
  method: 'DELETE',
  path: '/api/decisions/:userId',
  summary: 'Retract one of my decisions. A like that became a match stays.',
  access: 'member',
  limit: rateLimits.decisionsTakenBack,
  params: userId,
  response: Done,
  errors: ['not_found', 'conflict', 'rate_limited'],
})

export const undo = endpoint({
  method: 'POST',
  path: '/api/decisions/undo',
  summary:
    'Undo my latest decision, as often as there is one of the last 10 minutes. Matches stay. With `userId`, only if the latest is about that person; otherwise it is a conflict.',
  access: 'member',
  limit: rateLimits.decisionsTakenBack,
  body: z.strictObject({ userId: UserId.optional() }).nullish(),
  /** `card` is null if the person is no longer available. */
  response: z.object({ userId: UserId, decision: Decision, card: Profile.nullable(), ...DeckCounts.shape }),
  errors: ['not_found', 'conflict', 'rate_limited'],
})

const paging = { cursor: Cursor.optional(), limit: z.coerce.number<number>().int().min(1).max(50).default(20) }

export const Like = z.object({
  user: ProfileCard,
  item: LikedItemView.nullable(),
  comment: z.string().nullable(),
  at: Timestamp,
})
export type Like = z.infer<typeof Like>

export const listReceivedLikes = endpoint({
  method: 'GET',
  path: '/api/likes',
  summary: 'Who likes me and waits for my answer, newest first.',
  access: 'member',
  limit: rateLimits.likesPages,
  query: z.object(paging),
  response: z.object({ likes: z.array(Like), count: z.int(), nextCursor: Cursor.nullable() }),
})

export const listDecisions = endpoint({
  method: 'GET',
  path: '/api/decisions',
  summary: 'People I liked, passed or saved for later, newest first; without those who became matches.',
  access: 'member',
  limit: rateLimits.likesPages,
  query: z.object({ decision: Decision, ...paging }),
  response: z.object({ decisions: z.array(Like), nextCursor: Cursor.nullable() }),
})

export const likeEndpoints = [decide, takeBack, undo, listReceivedLikes, listDecisions] as const

export const likeEvents = {
  /** Someone liked me or withdrew a like. Request the list again. */
  likes_changed: z.object({ count: z.int() }),
} as const
