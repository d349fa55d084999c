import type { Photo } from '@duet/contract/photos.ts'
import type { Profile } from '@duet/contract/profiles.ts'
import { Evidence, ProfileEvidence, type ReportSubject } from '@duet/contract/reports.ts'
import { notFound } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { readCarriedFile } from '../conversations/attachments.ts'
import { readFiles } from '../photos/photo-files.ts'
import { findProfile } from '../profiles/cards.ts'
import { keepEvidence, signEvidence } from './evidence-files.ts'
import {
  type ContextRow,
  findContext,
  findName,
  type KeptAttachment,
  type KeptEvidence,
  type KeptMessage,
} from './reports.queries.ts'

/** How many messages before and after the reported one are kept with it. */
const around = 10
const widest = 1080

interface Sighting {
  /** What the reported person is called. */
  name: string
  profile: Profile | undefined
  photos: Photo[]
  messages: ContextRow[]
}

function photosIn(profile: Profile, subject: ReportSubject): Photo[] {
  return subject.kind === 'photo'
    ? profile.photos.filter(({ fileName }) => fileName === subject.fileName)
    : profile.photos
}

/** What a reporter sees of a subject now, with what belongs to it. Throws not found for what is not there for them. */
export async function see(
  platform: Platform,
  reporterId: string,
  reportedId: string,
  subject: ReportSubject,
): Promise<Sighting> {
  const profile = await findProfile(platform, reporterId, reportedId)
  if (subject.kind !== 'message') {
    const photos = profile ? photosIn(profile, subject) : []
    if (!profile || (subject.kind === 'photo' && photos.length === 0)) throw notFound()
    return { name: profile.name, profile, photos, messages: [] }
  }
  const messages = await findContext(platform.db, reporterId, reportedId, subject.seq, around)
  const isTheirs = messages.some((row) => row.seq === subject.seq && row.sender_id === reportedId)
  const name = isTheirs ? await findName(platform.db, reportedId) : undefined
  if (name === undefined) throw notFound()
  return { name, profile, photos: [], messages }
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

async function copyMessage(platform: Platform, reportedId: string, row: ContextRow): Promise<KeptMessage> {
  return {
    seq: row.seq,
    by: row.sender_id === reportedId ? 'reported' : 'reporter',
    text: row.body,
    sentAt: row.sent_at.toISOString(),
    editedAt: row.edited_at?.toISOString() ?? null,
    deletedAt: row.deleted_at?.toISOString() ?? null,
    attachment: await copyAttachment(platform, row),
  }
}

/** Copies what a reporter saw, files and all, so that nothing its owner does later can change it. */
export async function copyEvidence(platform: Platform, reportedId: string, seen: Sighting): Promise<KeptEvidence> {
  const photos: KeptEvidence['photos'] = []
  for (const photo of seen.photos) photos.push(await copyPhoto(platform, photo))
  const messages: KeptMessage[] = []
  for (const row of seen.messages) messages.push(await copyMessage(platform, reportedId, row))
  return { profile: seen.profile ? ProfileEvidence.parse(seen.profile) : null, photos, messages }
}

/** Kept evidence with addresses that work for one reviewer. */
export function evidenceView(
  platform: Pick<Platform, 'secrets' | 'clock'>,
  viewerId: string,
  kept: KeptEvidence,
): Evidence {
  const signed = <F extends { fileName: string | null }>(file: F) => ({
    ...file,
    url: signEvidence(platform, viewerId, file.fileName),
  })
  return Evidence.parse({
    profile: kept.profile,
    photos: kept.photos.map(signed),
    messages: kept.messages.map((message) => ({
      ...message,
      attachment: message.attachment && signed(message.attachment),
    })),
  })
}
