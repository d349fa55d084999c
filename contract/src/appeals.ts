import { z } from 'zod'
import { Claim } from './claims.ts'
import { endpoint } from './endpoint.ts'
import { Cursor, Done, Timestamp, UserId } from './ids.ts'
import { Photo } from './photos.ts'
import { Statement } from './prose.ts'
import { rateLimits } from './rate-limits.ts'
import { Evidence, ReportReason, ReportSubject } from './reports.ts'
import { JudgedSanction, OwnStanding } from './sanctions.ts'

export const appeal = endpoint({
  method: 'POST',
  path: '/api/appeals',
  summary: 'Appeal a sanction of mine, once, within six months. Someone who had no part in the decision will answer.',
  access: 'member',
  limit: rateLimits.appeals,
  standing: 'suspended',
  body: z.strictObject({ sanctionId: z.string().max(64), text: Statement }),
  status: 201,
  response: OwnStanding,
  errors: ['not_found', 'conflict', 'rate_limited'],
})

export const AppealForReview = z.object({
  id: z.string(),
  text: z.string(),
  createdAt: Timestamp,
  person: z.object({ id: UserId, name: z.string() }),
  sanction: JudgedSanction,
  report: z
    .object({
      receipt: z.string(),
      reason: ReportReason,
      subject: ReportSubject,
      createdAt: Timestamp,
      evidence: Evidence,
    })
    .nullable(),
  /** The rejected photo; null once it has been deleted. */
  photo: Photo.nullable(),
  claim: Claim.nullable(),
})
export type AppealForReview = z.infer<typeof AppealForReview>

export const listAppeals = endpoint({
  method: 'GET',
  path: '/api/admin/appeals',
  summary:
    'Open appeals that I may decide, oldest first: none of my own, and none against a decision I had a part in. A page with much evidence is shorter.',
  access: 'admin',
  query: z.object({ cursor: Cursor.optional(), limit: z.coerce.number<number>().int().min(1).max(50).default(20) }),
  response: z.object({
    appeals: z.array(AppealForReview),
    nextCursor: Cursor.nullable(),
    /** Appeals that only another administrator may decide. */
    forOthers: z.object({ count: z.int(), oldestAt: Timestamp.nullable() }),
  }),
})

export const decideAppeal = endpoint({
  method: 'POST',
  path: '/api/admin/appeals/:id/decision',
  summary: 'Decide an appeal. The person is told the answer; a reversal lifts the sanction.',
  access: 'admin',
  limit: rateLimits.moderationDecisions,
  params: z.object({ id: z.string() }),
  body: z.strictObject({
    outcome: z.enum(['upheld', 'reversed']),
    answer: Statement,
  }),
  response: Done,
  errors: ['not_found', 'conflict', 'forbidden', 'rate_limited'],
})

export const appealEndpoints = [appeal, listAppeals, decideAppeal] as const
