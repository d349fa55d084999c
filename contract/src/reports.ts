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

/** A message is identified by its seq in the reporter's conversation with that person. */
export const ReportSubject = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('profile') }),
  z.strictObject({ kind: z.literal('photo'), fileName: z.string().max(64) }),
  z.strictObject({ kind: z.literal('message'), seq: z.int().min(1) }),
])
export type ReportSubject = z.infer<typeof ReportSubject>

/** Eight digits in two groups, short enough to read out on the phone. */
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
   * `restricted`: too many of the viewer's reports were false; `detail` has the end of the restriction.
   * `validation_failed` also when the open report has no room for more details.
   */
  errors: ['not_found', 'restricted', 'rate_limited'],
})

export const OwnReport = z.object({
  receipt: Receipt,
  reason: ReportReason,
  /** The reported person's name at the time. */
  name: z.string(),
  createdAt: Timestamp,
  state: z.enum(['open', 'closed']),
  /** Whether the report led to action, once closed. */
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

/** Someone who matched with the viewer or exchanged messages with them, and whom the viewer no longer sees. */
export const PastContact = z.object({
  id: UserId,
  /** The first name the viewer knew. */
  name: z.string(),
  /** When the two matched or first exchanged a message. */
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

/** The profile texts as the reporter saw them, without fields that concern only the two of them. */
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

/** A copied photo. `fileName` is derived from its hash, null if the file no longer existed. */
export const PhotoEvidence = Photo.omit({ url: true, fileName: true }).extend({
  fileName: z.string().nullable(),
  url: z.string().nullable(),
})
export type PhotoEvidence = z.infer<typeof PhotoEvidence>

const file = { fileName: z.string().nullable(), url: z.string().nullable() }
/** The attachment in its format at the time: stored evidence doesn't follow later changes to messages. */
export const AttachmentEvidence = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('photo'), width: z.int(), height: z.int(), blurhash: z.string(), ...file }),
  z.object({ kind: z.literal('voice'), durationMs: z.int(), waveform: z.array(z.int()), ...file }),
])
export type AttachmentEvidence = z.infer<typeof AttachmentEvidence>

export const MessageEvidence = z.object({
  seq: z.int(),
  by: z.enum(['reporter', 'reported']),
  /** For a deleted message, its earlier text, for 30 days. */
  text: z.string(),
  sentAt: Timestamp,
  editedAt: Timestamp.nullable(),
  /** Set if the message was deleted before the report. */
  deletedAt: Timestamp.nullable(),
  attachment: AttachmentEvidence.nullable(),
  /**
   * Texts of the reported person's edited message from the last 30 days, oldest first. The reported message has all of
   * them; the other messages share 50 KB, shortest texts first.
   */
  earlier: z.array(z.object({ text: z.string(), until: Timestamp })).optional(),
})
export type MessageEvidence = z.infer<typeof MessageEvidence>

/**
 * What the reporter saw at one moment. `profile` is null when they could no longer see it. `messages` are the reported
 * message and up to ten on either side, or the last messages with a person the reporter no longer sees.
 */
const Sighting = z.object({
  profile: ProfileEvidence.nullable(),
  photos: z.array(PhotoEvidence),
  messages: z.array(MessageEvidence),
})

/**
 * Copied when the report was made, and again for each repeat with new content. `later` has the newest nine repeats,
 * oldest first.
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
  /** Null once their account is gone. */
  reporter: z.object({ id: UserId, name: z.string() }).nullable(),
  /** With the name at the time. */
  reported: z.object({ id: UserId, name: z.string() }),
  /** The language that the reported person uses, so that the statement can be written in it. */
  language: AppLanguage,
  evidence: Evidence,
  claim: Claim.nullable(),
  /** False for reports the viewer made: another administrator decides them. */
  mayDecide: z.boolean(),
  /**
   * How reliable the reporter is: the number of their decided reports, and the share that was upheld (0 to 1, null if
   * none).
   */
  trust: z.object({ decided: z.int(), upheldShare: z.number().nullable() }),
  /** Other open reports about the same person, newest first, twenty at most. */
  others: z.array(
    z.object({
      receipt: Receipt,
      reason: ReportReason,
      severity: Severity,
      subject: ReportSubject,
      createdAt: Timestamp,
    }),
  ),
  /** The reported person's sanctions in the last twelve months that were not reversed. */
  strikes: z.int(),
  /** The usual action, as a suggestion only. */
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
  /** Closes all open reports of the same subject, by any reporter. */
  allOfSubject: z.boolean().default(false),
}

const ProfilePart = z.enum(profileParts)
export type ProfilePart = z.infer<typeof ProfilePart>

export const ReportDecision = z.discriminatedUnion('action', [
  dismissal.extend({
    ...whole,
    /** A report made up to cause harm. It counts against the reporter. */
    falseReport: z.boolean().default(false),
  }),
  removal.extend({
    ...whole,
    /** Which texts of a reported profile to remove. A neutral name replaces the name. */
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
