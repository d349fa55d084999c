import { z } from 'zod'
import { endpoint, standings } from './endpoint.ts'
import { Done, Timestamp, UserId } from './ids.ts'
import { communityRules, limits } from './limits.ts'
import { optionalProse, prose, Statement } from './prose.ts'
import { rateLimits } from './rate-limits.ts'

export const Ground = z.enum(communityRules)
export type Ground = z.infer<typeof Ground>
export const Standing = z.enum(standings)
export type Standing = z.infer<typeof Standing>

/**
 * Sanctions that the person is notified of. A shadow restriction isn't among them: the person doesn't learn of one
 * while it lasts.
 */
const ToldKind = z.enum(['warning', 'item_removed', 'restriction', 'suspension', 'ban', 'reporting_restriction'])
export const SanctionKind = z.enum([...ToldKind.options, 'shadow'])
export type SanctionKind = z.infer<typeof SanctionKind>
export const ItemKind = z.enum(['photo', 'message', 'profile'])
export type ItemKind = z.infer<typeof ItemKind>

export const Sanction = z.object({
  id: z.string(),
  kind: SanctionKind,
  ground: Ground,
  statement: z.string(),
  automated: z.boolean(),
  item: ItemKind.nullable(),
  createdAt: Timestamp,
  /** Null if the sanction is permanent. */
  endsAt: Timestamp.nullable(),
  /** When and why the sanction ended: it expired, was reversed on appeal, or was lifted by an administrator. */
  liftedAt: Timestamp.nullable(),
  liftedAs: z.enum(['ended', 'reversed', 'lifted']).nullable(),
  /** Set if a moderator found withheld messages to be spam, so that they were never delivered. */
  undelivered: z.literal(true).optional(),
})
export type Sanction = z.infer<typeof Sanction>

export const AppealState = z.enum(['open', 'upheld', 'reversed'])
export type AppealState = z.infer<typeof AppealState>

export const OwnAppeal = z.object({
  text: z.string(),
  createdAt: Timestamp,
  state: AppealState,
  answer: z.string().nullable(),
  decidedAt: Timestamp.nullable(),
})
export type OwnAppeal = z.infer<typeof OwnAppeal>

export const OwnSanction = Sanction.extend({
  kind: ToldKind,
  appeal: OwnAppeal.nullable(),
  /** The deadline for an appeal; null if the sanction can't be appealed or the deadline has passed. */
  appealUntil: Timestamp.nullable(),
})
export type OwnSanction = z.infer<typeof OwnSanction>

export const OwnStanding = z.object({
  standing: Standing,
  until: Timestamp.nullable(),
  /** Newest first, including past sanctions. */
  sanctions: z.array(OwnSanction),
})
export type OwnStanding = z.infer<typeof OwnStanding>

export const getStanding = endpoint({
  method: 'GET',
  path: '/api/standing',
  summary: 'Where I stand with the rules: what was decided about me, why, and until when I may appeal.',
  access: 'member',
  standing: 'suspended',
  response: OwnStanding,
})

const days = z.int().min(1).max(limits.sanctionDays)
const told = { ground: Ground, statement: Statement, note: optionalProse(limits.reasonLength).default('') }

/** The possible decisions on a report or review. `note` is recorded only in the audit log. */
export const dismissal = z.strictObject({
  action: z.literal('dismiss'),
  note: optionalProse(limits.reasonLength).default(''),
})
export const sanctioning = [
  z.strictObject({ action: z.literal('warn'), ...told }),
  z.strictObject({ action: z.literal('restrict'), ...told, days }),
  z.strictObject({ action: z.literal('suspend'), ...told, days }),
  z.strictObject({ action: z.literal('ban'), ...told }),
] as const
export const removal = z.strictObject({ action: z.literal('remove_item'), ...told })
export const Ruling = z.discriminatedUnion('action', [dismissal, ...sanctioning])
export type Ruling = z.infer<typeof Ruling>

export const Action = z.enum(['dismiss', 'warn', 'remove_item', 'restrict', 'suspend', 'ban'])
export type Action = z.infer<typeof Action>

export const JudgedSanction = Sanction.extend({
  /** Null if the decision was automatic or the administrator's account was deleted. */
  decidedBy: z.object({ id: UserId, name: z.string() }).nullable(),
  appeal: AppealState.nullable(),
})
export type JudgedSanction = z.infer<typeof JudgedSanction>

export const liftSanction = endpoint({
  method: 'POST',
  path: '/api/admin/sanctions/:id/lift',
  summary: 'End a sanction before its time. The person is told; what was removed is put back where it can be.',
  access: 'admin',
  limit: rateLimits.moderationDecisions,
  params: z.object({ id: z.string() }),
  body: z.strictObject({ reason: prose(limits.statementMin, limits.reasonLength) }),
  response: Done,
  errors: ['not_found', 'conflict', 'forbidden', 'rate_limited'],
})

export const sanctionEndpoints = [getStanding, liftSanction] as const
