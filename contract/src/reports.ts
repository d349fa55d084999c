import { z } from 'zod'
import { AppLanguage } from './accounts.ts'
import { Claim } from './claims.ts'
import { endpoint } from './endpoint.ts'
import { Cursor, Done, Timestamp, UserId } from './ids.ts'
import { limits, profileParts, reportReasons } from './limits.ts'
import { Photo } from './photos.ts'
import { Profile } from './profiles.ts'
import { optionalProse } from './prose.ts'
import { rateLimits } from './rate-limits.ts'
import { Action, dismissal, removal, sanctioning } from './sanctions.ts'

export const ReportReason = z.enum(reportReasons)
export type ReportReason = z.infer<typeof ReportReason>

/** A message is identified by its `seq` in the reporter's conversation with the reported person. */
export const ReportSubject = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('profile') }),
  z.strictObject({ kind: z.literal('photo'), fileName: z.string().max(64) }),
  z.strictObject({ kind: z.literal('message'), seq: z.int().min(1) }),
])
export type ReportSubject = z.infer<typeof ReportSubject>

/** Eight digits in two groups, short enough to read out over the phone. */
const Receipt = z.string()

const Details = optionalProse(limits.reportDetailsLength)

export const reportUser = endpoint({
  method: 'POST',
  path: '/api/reports',
  summary:
    'Report someone, a photo or a message. What it is about is copied at once; the reported person is never told. Repeats of an open report answer its receipt, and copy what has changed since.',
  access: 'member',
  limit: rateLimits.reportRepeats,
  body: z.strictObject({
    userId: UserId,
    subject: ReportSubject,
    reason: ReportReason,
    details: Details.default(''),
    block: z.boolean().default(false),
  }),
  status: 201,
  response: z.object({ receipt: Receipt }),
  /**
   * `restricted`: too many of the viewer's reports were false; `detail` contains the end of the restriction.
   * `validation_failed` also if an open report already has the maximum amount of detail.
   */
  errors: ['not_found', 'restricted', 'rate_limited'],
})

export const OwnReport = z.object({
  receipt: Receipt,
  reason: ReportReason,
  name: z.string(),
  createdAt: Timestamp,
  state: z.enum(['open', 'closed']),
  outcome: z.enum(['upheld', 'dismissed']).nullable(),
})
export type OwnReport = z.infer<typeof OwnReport>

export const listOwnReports = endpoint({
  method: 'GET',
  path: '/api/reports',
  summary: 'What I have reported: the newest hundred, newest first.',
  access: 'member',
  response: z.object({ reports: z.array(OwnReport) }),
})

/** Someone the viewer matched or exchanged messages with but can no longer see. */
export const PastContact = z.object({
  id: UserId,
  /** The first name that the viewer last saw. */
  name: z.string(),
  since: Timestamp,
  matched: z.boolean(),
})
export type PastContact = z.infer<typeof PastContact>

export const listPastContacts = endpoint({
  method: 'GET',
  path: '/api/reports/past-contacts',
  summary:
    'People I was matched with or wrote with in the last twelve months and no longer see, whatever the reason: they can still be reported. Newest first.',
  access: 'member',
  limit: rateLimits.pastContacts,
  query: z.object({ cursor: Cursor.optional(), limit: z.coerce.number<number>().int().min(1).max(100).default(50) }),
  response: z.object({ people: z.array(PastContact), nextCursor: Cursor.nullable() }),
})

/** The profile texts that the reporter saw, without fields about the relation between the two people. */
export const ProfileEvidence = Profile.pick({
  name: true,
  age: true,
  gender: true,
  genderText: true,
  pronouns: true,
  bio: true,
  area: true,
  intents: true,
  interests: true,
  prompts: true,
  facts: true,
  verified: true,
})
export type ProfileEvidence = z.infer<typeof ProfileEvidence>

/** A copied photo. `fileName` is derived from the file's hash; null if the file no longer existed. */
export const PhotoEvidence = Photo.omit({ url: true, fileName: true }).extend({
  fileName: z.string().nullable(),
  url: z.string().nullable(),
})
export type PhotoEvidence = z.infer<typeof PhotoEvidence>

const file = { fileName: z.string().nullable(), url: z.string().nullable() }
/**
 * The attachment format at the time of the report. Separate from the message schema, because stored evidence must not
 * change with it.
 */
export const AttachmentEvidence = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('photo'), width: z.int(), height: z.int(), blurhash: z.string(), ...file }),
  z.object({ kind: z.literal('voice'), durationMs: z.int(), waveform: z.array(z.int()), ...file }),
])
export type AttachmentEvidence = z.infer<typeof AttachmentEvidence>

export const MessageEvidence = z.object({
  seq: z.int(),
  by: z.enum(['reporter', 'reported']),
  /** For a deleted message, its text before the deletion, available for 30 days. */
  text: z.string(),
  sentAt: Timestamp,
  editedAt: Timestamp.nullable(),
  deletedAt: Timestamp.nullable(),
  attachment: AttachmentEvidence.nullable(),
  /**
   * Earlier texts of a message that the reported person edited, from the last 30 days, oldest first. The reported
   * message includes all of them; the other messages share 50 KB, which is filled with the shortest texts first.
   */
  earlier: z.array(z.object({ text: z.string(), until: Timestamp })).optional(),
})
export type MessageEvidence = z.infer<typeof MessageEvidence>

/**
 * What the reporter saw at one time. `profile` is null if they could no longer see the profile. `messages` contains the
 * reported message and up to ten before and after it, or the last messages with a person the reporter can no longer
 * see.
 */
const Sighting = z.object({
  profile: ProfileEvidence.nullable(),
  photos: z.array(PhotoEvidence),
  messages: z.array(MessageEvidence),
})

/**
 * Copied when the report is made, and again whenever the reporter repeats it with new content. `later` contains the
 * newest nine repeats, oldest first.
 */
export const Evidence = Sighting.extend({
  later: z.array(Sighting.extend({ seenAt: Timestamp })).optional(),
})
export type Evidence = z.infer<typeof Evidence>

const Severity = z.enum(['urgent', 'high', 'normal'])

export const OpenReport = z.object({
  receipt: Receipt,
  reason: ReportReason,
  severity: Severity,
  subject: ReportSubject,
  details: z.string(),
  createdAt: Timestamp,
  /** Null if the reporter's account was deleted. */
  reporter: z.object({ id: UserId, name: z.string() }).nullable(),
  reported: z.object({ id: UserId, name: z.string() }),
  /** The reported person's language, in which the statement of reasons should be written. */
  language: AppLanguage,
  evidence: Evidence,
  claim: Claim.nullable(),
  /** False for the viewer's own reports, which another administrator must decide. */
  mayDecide: z.boolean(),
  /**
   * How reliable the reporter is: how many of their reports were decided, and what share of those was upheld (0 to 1;
   * null if none was decided).
   */
  trust: z.object({ decided: z.int(), upheldShare: z.number().nullable() }),
  others: z.array(
    z.object({
      receipt: Receipt,
      reason: ReportReason,
      severity: Severity,
      subject: ReportSubject,
      createdAt: Timestamp,
    }),
  ),
  strikes: z.int(),
  /** The usual action in such a case. Only a suggestion. */
  suggested: Action,
  /** When the reported person last changed their name, texts or photos after the report; null if they haven't. */
  changedSince: Timestamp.nullable(),
})
export type OpenReport = z.infer<typeof OpenReport>

export const listOpenReports = endpoint({
  method: 'GET',
  path: '/api/admin/reports',
  summary:
    'Reports that no one has decided yet, with their evidence: gravest first, then the older and the more trusted. None about the viewer. A page with much evidence is shorter.',
  access: 'admin',
  query: z.object({ cursor: Cursor.optional(), limit: z.coerce.number<number>().int().min(1).max(50).default(20) }),
  response: z.object({ reports: z.array(OpenReport), nextCursor: Cursor.nullable() }),
})

const whole = {
  allOfSubject: z.boolean().default(false),
}

const ProfilePart = z.enum(profileParts)
export type ProfilePart = z.infer<typeof ProfilePart>

export const ReportDecision = z.discriminatedUnion('action', [
  dismissal.extend({
    ...whole,
    /** Marks a report that was made up to cause harm. It counts against the reporter. */
    falseReport: z.boolean().default(false),
  }),
  removal.extend({
    ...whole,
    /** The texts to remove from a reported profile. A removed name is replaced by a neutral one. */
    parts: z.array(ProfilePart).min(1).max(profileParts.length).default(['bio', 'prompts']),
  }),
  ...sanctioning.map((one) => one.extend(whole)),
])
export type ReportDecision = z.infer<typeof ReportDecision>

export const decideReport = endpoint({
  method: 'POST',
  path: '/api/admin/reports/:receipt/decision',
  summary:
    'Decide a report: the person is told what and why, the reporter that it was looked at. 409 while someone else has claimed it; 403 about oneself, for one’s own report, and about super administrators.',
  access: 'admin',
  limit: rateLimits.moderationDecisions,
  params: z.object({ receipt: Receipt }),
  body: ReportDecision,
  response: Done,
  errors: ['not_found', 'conflict', 'forbidden', 'rate_limited'],
})

export const reportEndpoints = [reportUser, listOwnReports, listPastContacts, listOpenReports, decideReport] as const
