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

/** Grounds for rejecting a photo. Each has a statement of reasons in every language. */
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
    /** Only for a rejection. */
    ground: PhotoGround.default('other'),
  }),
  response: Done,
  errors: ['not_found', 'conflict', 'forbidden', 'rate_limited'],
})

/** A person to look at, and why: something that Duet noticed without a report. */
export const Review = z.object({
  id: z.string(),
  /** What noticed it, in snake_case. */
  kind: z.string(),
  person: Named,
  /** What they read Duet in: a statement is written to them. */
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

/** Of the reports about a person, or those they made. */
const ReportCounts = z.object({ open: z.int(), upheld: z.int(), dismissed: z.int() })

/** What two accounts have in common: the mailbox, a network and device, a name with a birthday, or photos that look alike. */
const SignalKind = z.enum(['address', 'network', 'person', 'photo'])

/** Another account that seems to be of the same person: which kinds of evidence say so, never the evidence itself. */
export const LinkedAccount = z.object({
  person: Named,
  standing: Standing,
  /** `count`: how many of theirs; more than one of photos alone. */
  signals: z.array(z.object({ kind: SignalKind, count: z.int().min(1) })),
})
export type LinkedAccount = z.infer<typeof LinkedAccount>

/** No more about a person than a decision needs: no address, no birth date, no chats. */
export const Dossier = z.object({
  id: UserId,
  name: z.string(),
  age: z.int(),
  area: z.string().nullable(),
  photos: z.array(Photo.extend({ state: ReviewState })),
  verified: z.boolean(),
  /** Another super administrator: nothing can be decided about them here. */
  isSuperAdmin: z.boolean(),
  standing: Standing,
  standingUntil: Timestamp.nullable(),
  /** Since when there is the account. */
  createdAt: Timestamp,
  /** Sanctions of the last twelve months that were not taken back. */
  strikes: z.int(),
  /** Newest first. */
  sanctions: z.array(JudgedSanction),
  reportsAbout: ReportCounts,
  reportsBy: ReportCounts.extend({ falseReports: z.int() }),
  /** Likeliest first, twenty at most. One of the two was blocked or banned; what a person found to be wrong is left out. */
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

/** All times in seconds. */
export const ModerationFigures = z.object({
  queues: z.array(
    z.object({
      kind: ClaimKind,
      /** Null: this queue knows none. */
      severity: Severity.nullable(),
      open: z.int(),
      oldestAge: z.int().nullable(),
      medianAge: z.int().nullable(),
    }),
  ),
  /** What was decided in each of the last twelve weeks, oldest first; reports and reviews together. */
  weeks: z.array(
    z.object({
      /** Its Monday. */
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
  /** Of the reports decided in the last ninety days. */
  decisions: z.array(z.object({ severity: Severity, decided: z.int(), medianTime: z.int().nullable() })),
  /** Of the last ninety days. `reversedShare` from 0 to 1; null without any. */
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
  /** Null: Duet itself. The name is empty once the account is gone. */
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
    /** An id; `duet`: what Duet did by itself. */
    actor: z.union([z.literal('duet'), z.uuid()]).optional(),
    action: z
      .string()
      .regex(/^[a-z_]{1,40}$/)
      .optional(),
    /** From this moment on, and before that one. */
    from: z.iso.datetime().optional(),
    to: z.iso.datetime().optional(),
    cursor: Cursor.optional(),
    limit: limitOf(50),
  }),
  response: z.object({
    entries: z.array(AuditEntry),
    nextCursor: Cursor.nullable(),
    /** Who and what there is in the whole log, to choose from; with the first page alone. */
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
