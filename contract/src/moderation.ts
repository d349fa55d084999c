import { z } from 'zod'
import { AppLanguage } from './accounts.ts'
import { Claim, ClaimKind } from './claims.ts'
import { endpoint } from './endpoint.ts'
import { Cursor, Done, Timestamp, UserId } from './ids.ts'
import { limits } from './limits.ts'
import { Photo, ReviewState } from './photos.ts'
import { prose } from './prose.ts'
import { rateLimits } from './rate-limits.ts'
import { Action, JudgedSanction, Ruling, Standing } from './sanctions.ts'

const limitOf = (usual: number) => z.coerce.number<number>().int().min(1).max(50).default(usual)
const Named = z.object({ id: UserId, name: z.string() })

export const PhotoForReview = z.object({
  photo: Photo,
  state: ReviewState,
  owner: Named,
  uploadedAt: Timestamp,
  claim: Claim.nullable(),
})
export type PhotoForReview = z.infer<typeof PhotoForReview>

export const listPhotosForReview = endpoint({
  method: 'GET',
  path: '/api/admin/photos',
  summary: 'Photos that no one has reviewed yet, oldest first.',
  access: 'admin',
  query: z.object({ cursor: Cursor.optional(), limit: limitOf(24) }),
  response: z.object({ photos: z.array(PhotoForReview), nextCursor: Cursor.nullable() }),
})

/** Grounds for rejecting a photo. A statement of reasons exists for each, in every language. */
export const photoGrounds = ['fake_profile', 'sexual_content', 'hate', 'spam', 'other'] as const
const PhotoGround = z.enum(photoGrounds)
export type PhotoGround = z.infer<typeof PhotoGround>

export const reviewPhoto = endpoint({
  method: 'PATCH',
  path: '/api/admin/photos/:fileName',
  summary:
    'Approve or reject a photo: the owner is told, a rejection with its reasons, and can appeal. `pending` undoes my own review within a day.',
  access: 'admin',
  limit: rateLimits.photoReviews,
  params: z.object({ fileName: z.string() }),
  body: z.strictObject({
    state: ReviewState,
    ground: PhotoGround.default('other'),
  }),
  response: Done,
  errors: ['not_found', 'conflict', 'forbidden', 'rate_limited'],
})

export const Review = z.object({
  id: z.string(),
  /** What triggered the review, in snake_case. */
  kind: z.string(),
  person: Named,
  /** The person's language, in which the statement of reasons should be written. */
  language: AppLanguage,
  note: z.string(),
  createdAt: Timestamp,
  standing: Standing,
  strikes: z.int(),
  suggested: Action,
  claim: Claim.nullable(),
})
export type Review = z.infer<typeof Review>

export const listReviews = endpoint({
  method: 'GET',
  path: '/api/admin/reviews',
  summary: 'People a moderator should look at, oldest first.',
  access: 'admin',
  query: z.object({ cursor: Cursor.optional(), limit: limitOf(20) }),
  response: z.object({ reviews: z.array(Review), nextCursor: Cursor.nullable() }),
})

export const decideReview = endpoint({
  method: 'POST',
  path: '/api/admin/reviews/:id/decision',
  summary: 'Decide a review: dismiss it, or sanction the person with a statement of reasons.',
  access: 'admin',
  limit: rateLimits.moderationDecisions,
  params: z.object({ id: z.string() }),
  body: Ruling,
  response: Done,
  errors: ['not_found', 'conflict', 'forbidden', 'rate_limited'],
})

const ReportCounts = z.object({ open: z.int(), upheld: z.int(), dismissed: z.int() })

/**
 * Evidence that two accounts belong to one person: the same mailbox, network and device, or name and birthday, or
 * similar photos.
 */
const SignalKind = z.enum(['address', 'network', 'person', 'photo'])

/**
 * An account that seems to belong to the same person. Only the kinds of evidence are disclosed, not the evidence
 * itself.
 */
export const LinkedAccount = z.object({
  person: Named,
  standing: Standing,
  /** How many times this kind of evidence was found. Only photos can exceed 1. */
  signals: z.array(z.object({ kind: SignalKind, count: z.int().min(1) })),
})
export type LinkedAccount = z.infer<typeof LinkedAccount>

/** Only what a moderation decision requires: no address, birth date or chats. */
export const Dossier = z.object({
  id: UserId,
  name: z.string(),
  age: z.int(),
  area: z.string().nullable(),
  photos: z.array(Photo.extend({ state: ReviewState })),
  verified: z.boolean(),
  /** Whether this person is also a super administrator. Those can't be sanctioned here. */
  isSuperAdmin: z.boolean(),
  standing: Standing,
  standingUntil: Timestamp.nullable(),
  createdAt: Timestamp,
  strikes: z.int(),
  sanctions: z.array(JudgedSanction),
  reportsAbout: ReportCounts,
  reportsBy: ReportCounts.extend({ falseReports: z.int() }),
  /**
   * Most likely first, at most twenty. In each pair, one of the two accounts was blocked or banned. Links that a
   * moderator rejected are left out.
   */
  linked: z.array(LinkedAccount),
})
export type Dossier = z.infer<typeof Dossier>

export const getDossier = endpoint({
  method: 'GET',
  path: '/api/admin/dossiers/:userId',
  summary: 'What an administrator may know about someone else. Every look is recorded with its reason.',
  access: 'admin',
  limit: rateLimits.dossiers,
  params: z.object({ userId: UserId }),
  query: z.object({ reason: prose(5, limits.reasonLength) }),
  response: Dossier,
  errors: ['not_found', 'forbidden', 'rate_limited'],
})

const Severity = z.enum(['urgent', 'high', 'normal'])

/** All durations are in seconds. */
export const ModerationFigures = z.object({
  queues: z.array(
    z.object({
      kind: ClaimKind,
      severity: Severity.nullable(),
      open: z.int(),
      oldestAge: z.int().nullable(),
      medianAge: z.int().nullable(),
    }),
  ),
  /** Decisions on reports and reviews in each of the last twelve weeks, oldest first. */
  weeks: z.array(
    z.object({
      week: z.iso.date(),
      dismissed: z.int(),
      warned: z.int(),
      removed: z.int(),
      restricted: z.int(),
      suspended: z.int(),
      banned: z.int(),
      automated: z.int(),
    }),
  ),
  decisions: z.array(z.object({ severity: Severity, decided: z.int(), medianTime: z.int().nullable() })),
  /** Appeals in the last ninety days. `reversedShare` goes from 0 to 1; null if there were no appeals. */
  appeals: z.object({ decided: z.int(), reversed: z.int(), reversedShare: z.number().nullable() }),
})
export type ModerationFigures = z.infer<typeof ModerationFigures>

export const getModerationFigures = endpoint({
  method: 'GET',
  path: '/api/admin/moderation/figures',
  summary: 'How old the queues are, what was decided, how long it took, and how many appeals were right.',
  access: 'admin',
  response: ModerationFigures,
})

export const AuditEntry = z.object({
  seq: z.int(),
  at: Timestamp,
  /** Null if Duet acted automatically. The name is empty if the account was deleted. */
  actor: Named.nullable(),
  action: z.string(),
  target: z.record(z.string(), z.unknown()),
  reason: z.string(),
  details: z.record(z.string(), z.unknown()),
  hash: z.string(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

export const listAuditEntries = endpoint({
  method: 'GET',
  path: '/api/admin/audit',
  summary: 'What administrators did, newest first; of one of them, of one kind, or of some days alone.',
  access: 'admin',
  query: z.strictObject({
    /** An administrator's id, or `duet` for automatic actions. */
    actor: z.union([z.literal('duet'), z.uuid()]).optional(),
    action: z
      .string()
      .regex(/^[a-z_]{1,40}$/)
      .optional(),
    /** `from` is inclusive, `to` is exclusive. */
    from: z.iso.datetime().optional(),
    to: z.iso.datetime().optional(),
    cursor: Cursor.optional(),
    limit: limitOf(50),
  }),
  response: z.object({
    entries: z.array(AuditEntry),
    nextCursor: Cursor.nullable(),
    /** All actors and actions in the log, as choices for the filters. Only the first page includes them. */
    choices: z.object({ actors: z.array(Named), actions: z.array(z.string()) }).nullable(),
  }),
})

export const verifyAuditLog = endpoint({
  method: 'GET',
  path: '/api/admin/audit/chain',
  summary: 'Whether the audit log is as it was written: the first entry that was edited, removed or moved, if any.',
  access: 'admin',
  limit: rateLimits.auditVerifications,
  response: z.object({
    entries: z.int(),
    firstBroken: z.int().nullable(),
    head: z.object({ seq: z.int(), hash: z.string() }),
  }),
  errors: ['rate_limited'],
})

export const moderationEndpoints = [
  listPhotosForReview,
  reviewPhoto,
  listReviews,
  decideReview,
  getDossier,
  getModerationFigures,
  listAuditEntries,
  verifyAuditLog,
] as const
