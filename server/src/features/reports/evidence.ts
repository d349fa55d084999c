import { createHash } from 'node:crypto'
import { by } from '@duet/contract/order.ts'
import type { Photo } from '@duet/contract/photos.ts'
import type { Profile } from '@duet/contract/profiles.ts'
import { promised } from '@duet/contract/promised.ts'
import { Evidence, ProfileEvidence, type ReportSubject } from '@duet/contract/reports.ts'
import { notFound } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { readCarriedFile } from '../conversations/attachments.ts'
import { readFiles } from '../photos/photo-files.ts'
import { findProfile } from '../profiles/cards.ts'
import { keepEvidence, signEvidence } from './evidence-files.ts'
import { findContact, type PastContactRow } from './past-contacts.queries.ts'
import {
  type ContextRow,
  findContext,
  findVersions,
  type KeptAttachment,
  type KeptEvidence,
  type KeptMessage,
  type Span,
} from './reports.queries.ts'

const around = promised.evidenceMessages
/** The most earlier text of edited messages to store with a report, in bytes. */
const mostEarlier = 50_000
/** How many messages are copied into a report about a past contact, whose profile the reporter no longer sees. */
const lastOnes = 2 * around + 1
const widest = 1080

interface Version {
  text: string
  until: string
}

interface SeenMessage extends ContextRow {
  earlier: Version[]
}

export interface Sighting {
  /** The reported person's name as the reporter knows it. */
  name: string
  profile: Profile | undefined
  photos: Photo[]
  messages: SeenMessage[]
  /** A hash of this content. If a repeated report has the same hash, it adds nothing new. */
  mark: string
}

/**
 * Keeps all earlier texts of the reported message, and as many of the others' as fit, shortest first, so that long
 * texts don't push out a threat.
 */
function fitVersions(messages: SeenMessage[], reported: number | undefined): SeenMessage[] {
  const size = ({ text }: Version) => Buffer.byteLength(text)
  const others = messages.filter(({ seq }) => seq !== reported).flatMap(({ earlier }) => earlier)
  const kept = new Set<Version>()
  let room = mostEarlier
  for (const version of others.sort(by(size))) {
    room -= size(version)
    if (room >= 0) kept.add(version)
  }
  return messages.map((message) =>
    message.seq === reported ? message : { ...message, earlier: message.earlier.filter((one) => kept.has(one)) },
  )
}

function photosIn(profile: Profile, subject: ReportSubject): Photo[] {
  return subject.kind === 'photo'
    ? profile.photos.filter(({ fileName }) => fileName === subject.fileName)
    : profile.photos
}

/**
 * Messages between two people. Includes the earlier text of messages that the reported person edited or deleted, but
 * not of messages that the reporter deleted.
 */
async function seeMessages(
  { db }: Platform,
  reporterId: string,
  reportedId: string,
  span: Span,
): Promise<SeenMessage[]> {
  const rows = await findContext(db, reporterId, reportedId, span)
  const versions = await findVersions(db, reportedId, reporterId, span)
  return rows.map((row) => {
    const before = versions.filter(({ seq }) => seq === row.seq)
    const last = before.at(-1)
    const isTakenBack = last !== undefined && last.replaced_at.getTime() === row.deleted_at?.getTime()
    const edited = isTakenBack ? before.slice(0, -1) : before
    return {
      ...row,
      ...(isTakenBack && last),
      earlier: edited.map(({ body, replaced_at }) => ({ text: body, until: replaced_at.toISOString() })),
    }
  })
}

/** The messages to copy into a report: those around the reported message, or the last ones with a past contact. */
function spanOf(
  subject: ReportSubject,
  profile: Profile | undefined,
  contact: PastContactRow | undefined,
): Span | undefined {
  if (subject.kind === 'message') return { first: subject.seq - around, last: subject.seq + around }
  const last = contact?.last_seq
  return profile || !last ? undefined : { first: last - lastOnes + 1, last }
}

const wordsOf = (profile: Profile | undefined) => (profile ? ProfileEvidence.parse(profile) : null)

function markOf({ profile, photos, messages }: Omit<Sighting, 'mark'>): string {
  // Left out, because age and area change without an edit of the profile.
  const words = { ...wordsOf(profile), age: null, area: null }
  const pictures = photos.map(({ fileName, alt }) => [fileName, alt])
  return createHash('sha256')
    .update(JSON.stringify([words, pictures, messages]))
    .digest('base64url')
}

/**
 * Collects the reporter's current view of a subject and the messages around it. Past contacts can be reported too,
 * although the reporter no longer sees them. Throws not found for a subject the reporter can't see.
 */
export async function see(
  platform: Platform,
  reporterId: string,
  reportedId: string,
  subject: ReportSubject,
): Promise<Sighting> {
  const profile = await findProfile(platform, reporterId, reportedId)
  const contact = profile ? undefined : await findContact(platform.db, reporterId, reportedId, platform.clock.now())
  const name = profile?.name ?? contact?.name
  const span = spanOf(subject, profile, contact)
  const reported = subject.kind === 'message' ? subject.seq : undefined
  const messages = span ? fitVersions(await seeMessages(platform, reporterId, reportedId, span), reported) : []
  const photos = profile && subject.kind !== 'message' ? photosIn(profile, subject) : []
  const isThere = {
    profile: true,
    photo: photos.length > 0,
    message: messages.some((row) => row.seq === reported && row.sender_id === reportedId),
  }
  if (name === undefined || !isThere[subject.kind]) throw notFound()
  const seen = { name, profile, photos, messages }
  return { ...seen, mark: markOf(seen) }
}

async function copyPhoto(platform: Platform, { alt, width, height, blurhash, fileName }: Photo) {
  const copy = await keepEvidence(platform, fileName, await readFiles(platform, fileName, widest))
  return { alt, width, height, blurhash, fileName: copy }
}

async function copyAttachment(platform: Platform, row: ContextRow): Promise<KeptAttachment | null> {
  const { kind, file_name, width, height, blurhash } = row
  if (kind === null || file_name === null) return null
  const fileName = await keepEvidence(platform, file_name, await readCarriedFile(platform, file_name))
  if (kind === 'voice') return { kind, fileName, durationMs: row.duration_ms ?? 0, waveform: row.waveform ?? [] }
  return { kind, fileName, width: width ?? 1, height: height ?? 1, blurhash: blurhash ?? '' }
}

async function copyMessage(platform: Platform, reportedId: string, row: SeenMessage): Promise<KeptMessage> {
  return {
    seq: row.seq,
    by: row.sender_id === reportedId ? 'reported' : 'reporter',
    text: row.body,
    sentAt: row.sent_at.toISOString(),
    editedAt: row.edited_at?.toISOString() ?? null,
    deletedAt: row.deleted_at?.toISOString() ?? null,
    attachment: await copyAttachment(platform, row),
    ...(row.earlier.length > 0 && { earlier: row.earlier }),
  }
}

/** Copies what a reporter saw, including files, so that nothing its owner does later can change it. */
export async function copyEvidence(platform: Platform, reportedId: string, seen: Sighting): Promise<KeptEvidence> {
  const photos: KeptEvidence['photos'] = []
  for (const photo of seen.photos) photos.push(await copyPhoto(platform, photo))
  const messages: KeptMessage[] = []
  for (const row of seen.messages) messages.push(await copyMessage(platform, reportedId, row))
  return { mark: seen.mark, profile: wordsOf(seen.profile), photos, messages }
}

type Signing = Pick<Platform, 'secrets' | 'clock'>

function sightingView(platform: Signing, viewerId: string, kept: KeptEvidence): Omit<Evidence, 'later'> {
  const signed = <F extends { fileName: string | null }>(file: F) => ({
    ...file,
    url: signEvidence(platform, viewerId, file.fileName),
  })
  return {
    profile: kept.profile,
    photos: kept.photos.map(signed),
    messages: kept.messages.map((message) => ({
      ...message,
      attachment: message.attachment && signed(message.attachment),
    })),
  }
}

export function evidenceView(
  platform: Signing,
  viewerId: string,
  { evidence, later }: { evidence: KeptEvidence; later: readonly { seenAt: string; evidence: KeptEvidence }[] },
): Evidence {
  const repeats = later.map((one) => ({
    ...sightingView(platform, viewerId, one.evidence),
    seenAt: new Date(one.seenAt).toISOString(),
  }))
  const first = sightingView(platform, viewerId, evidence)
  return Evidence.parse({ ...first, ...(repeats.length > 0 && { later: repeats }) })
}
