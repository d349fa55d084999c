import { randomUUID } from 'node:crypto'
import type { Attachment } from '@duet/contract/conversations.ts'
import { limits } from '@duet/contract/limits.ts'
import { after, hours } from '../../platform/clock.ts'
import { AppError, forbidden, notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import { createAwayGuard, eachPart } from '../../platform/jobs/each-one.ts'
import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms, Platform, Tx } from '../../platform/platform.ts'
import { shuffleByChance } from '../../platform/random.ts'
import { isSigned, type Signature, sign } from '../../platform/security/signed-urls.ts'
import { transaction } from '../../platform/transaction.ts'
import { developPhoto } from '../photos/develop-aside.ts'
import type { Width } from '../photos/developed.ts'
import { isPhotoFile, keepFiles, keyOf, keysOf, readFiles, removeFiles } from '../photos/photo-files.ts'
import type { AttachmentForm } from './attachment-form.ts'
import {
  type AttachmentRow,
  findAttachments,
  findRefusalToWrite,
  findUnsentAttachments,
  insertAttachment,
  isAttachmentVisible,
  removeUncarried,
} from './attachments.queries.ts'
import type { Inspected } from './inspect-voice.ts'
import { refused } from './refusals.ts'
import { isVoiceFile, keepVoice, readVoice, removeVoice, voiceKey, voiceType } from './voice.ts'

type Signing = Pick<Platform, 'secrets' | 'clock'>

const purpose = 'attachment-url'
/**
 * The minimum width and height of a photo in pixels. People send small pictures too, but anything smaller is
 * unrecognisable.
 */
const smallestPhoto = 32
const unsentHours = 24
const sweptAtOnce = 50

function attachmentView(platform: Signing, viewerId: string, row: AttachmentRow, matched: boolean): Attachment {
  const url = `/media/attachments/${row.file_name}?${sign(platform, purpose, row.file_name, viewerId)}`
  if (row.kind === 'voice') {
    return { kind: 'voice', id: row.id, url, durationMs: row.duration_ms ?? 0, waveform: row.waveform ?? [] }
  }
  const { width, height, blurhash } = row
  const veiled = row.owner_id !== viewerId && !matched
  return { kind: 'photo', id: row.id, url, width: width ?? 1, height: height ?? 1, blurhash: blurhash ?? '', veiled }
}

/**
 * The attachments with these ids as the viewer sees them, by id. The caller has checked that the viewer may see their
 * messages. Photos from people the viewer isn't matched with are `veiled`. Runs one query, or none if there are no ids.
 */
export async function attachmentsOf(
  platform: Signing & Pick<Platform, 'db'>,
  viewerId: string,
  ids: readonly string[],
): Promise<Map<string, Attachment>> {
  return (await readAttachments(platform, ids))(viewerId, ids)
}

/**
 * Like `attachmentsOf`, for several viewers: reads all attachments once, and returns a function that builds each
 * viewer's views.
 */
export async function readAttachments({ db, ...platform }: Signing & Pick<Platform, 'db'>, ids: readonly string[]) {
  const rows = new Map(ids.length === 0 ? [] : (await findAttachments(db, ids)).map((row) => [row.id, row]))
  return (viewerId: string, of: readonly string[]): Map<string, Attachment> =>
    new Map(
      of.flatMap((id) => {
        const row = rows.get(id)
        return row ? [[id, attachmentView(platform, viewerId, row, row.matched)] as const] : []
      }),
    )
}

/** Throws not found for people the sender can't write to, forbidden if writing needs a match. */
async function requireWritable(
  { db, config }: Pick<Platform | Tx, 'db' | 'config'>,
  senderId: string,
  receiverId: string,
): Promise<void> {
  if (!isUuid(receiverId)) throw notFound()
  const refusal = await findRefusalToWrite(db, senderId, receiverId, config.chatPolicy === 'matches')
  if (refusal) throw refused(refusal)
}

async function inspectAside({ decoders }: Platform, ownerId: string, bytes: Buffer): Promise<Inspected> {
  if (bytes.length > limits.voiceBytes) throw new AppError('payload_too_large', 'The voice message is too large.')
  return (await decoders.decode(ownerId, { decoder: 'voice', bytes })) as Inspected
}

const noMeasures = { width: null, height: null, blurhash: null, duration_ms: null, waveform: null }

/** Stores an uploaded file and returns its row. Throws if it is neither a photo nor a voice message. */
async function keep(platform: Platform, ownerId: string, { bytes, voice }: AttachmentForm): Promise<AttachmentRow> {
  const base = { ...noMeasures, id: randomUUID(), owner_id: ownerId }
  if (voice) {
    const { format, durationMs, bytes: kept } = await inspectAside(platform, ownerId, bytes)
    const file_name = await keepVoice(platform, format, Buffer.from(kept))
    return { ...base, kind: 'voice', file_name, duration_ms: durationMs, waveform: voice.waveform }
  }
  const photo = await developPhoto(platform, ownerId, bytes, smallestPhoto)
  const { width, height, blurhash } = photo
  return { ...base, kind: 'photo', file_name: await keepFiles(platform, photo, 'attachments'), width, height, blurhash }
}

const forget = (platform: Pick<Platform, 'storage'>, { file_name }: Pick<AttachmentRow, 'file_name'>) =>
  removeCarriedFile(platform, file_name)

/**
 * Stores a photo or a voice message for a message that hasn't been sent yet. `read` reads the form; it is called only
 * after checking that the viewer may write to the receiver. Throws not found, forbidden, and for any other kind of
 * file.
 */
export async function addAttachment(
  platform: Platform,
  viewerId: string,
  receiverId: string,
  read: () => Promise<AttachmentForm>,
): Promise<Attachment> {
  await requireWritable(platform, viewerId, receiverId)
  const row = await keep(platform, viewerId, await read())
  try {
    await transaction(platform, async (tx) => {
      await requireWritable(tx, viewerId, receiverId)
      await insertAttachment(tx.db, receiverId, row, tx.clock.now())
    })
  } catch (error) {
    // After any other error the transaction may have committed a row that refers to the file, so the sweep decides
    // whether to remove it.
    if (error instanceof AppError) await Promise.allSettled([forget(platform, row)])
    throw error
  }
  return attachmentView(platform, viewerId, row, false)
}

interface AttachmentAddress extends Signature {
  fileName: string
  width: Width
}

/**
 * Returns where the file of a signed URL is stored. Throws forbidden if the signature is wrong or has expired, and not
 * found if the file is gone or the viewer may no longer see it.
 */
export async function findAttachment(
  platform: Signing & Pick<Platform, 'db' | 'budgets'>,
  { fileName, width, ...signature }: AttachmentAddress,
): Promise<{ key: string; contentType: string }> {
  if (!isPhotoFile(fileName) && !isVoiceFile(fileName)) throw notFound()
  if (!isUuid(signature.viewer) || !isSigned(platform, purpose, fileName, signature)) throw forbidden()
  platform.budgets.countFile(signature.viewer)
  if (!(await isAttachmentVisible(platform.db, signature.viewer, fileName, platform.clock.now()))) throw notFound()
  return isPhotoFile(fileName)
    ? { key: keyOf('attachments', width, fileName), contentType: 'image/webp' }
    : { key: voiceKey(fileName), contentType: voiceType(fileName) }
}

/** The bytes of an attachment, photos at their largest width; undefined if the file is gone. */
export function readCarriedFile(platform: Pick<Platform, 'storage'>, fileName: string): Promise<Buffer | undefined> {
  return isVoiceFile(fileName) ? readVoice(platform, fileName) : readFiles(platform, fileName, 1080, 'attachments')
}

export function carriedKeys(fileName: string): string[] {
  return isVoiceFile(fileName) ? [voiceKey(fileName)] : keysOf(fileName, 'attachments')
}

/** Removes an attachment's files. Succeeds if they are already gone. */
export function removeCarriedFile(platform: Pick<Platform, 'storage'>, fileName: string): Promise<void> {
  return isVoiceFile(fileName) ? removeVoice(platform, fileName) : removeFiles(platform, fileName, 'attachments')
}

/**
 * Deletes the rows and files of attachments that no message refers to anymore, all or none. Call it after the
 * transaction that set `attachment_id` to null on their messages. The sweep retries failures. Idempotent.
 */
export async function deleteAttachments(
  platform: Pick<Platform, 'db' | 'clock' | 'log' | 'storage'>,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await transaction(platform, async (tx) => {
    // Before the commit: if removing a file fails, its row stays for the next attempt.
    await Promise.all((await removeUncarried(tx.db, ids)).map((doomed) => forget(tx, doomed)))
  })
}

/** Removes uploads that weren't sent within a day. */
export async function sweepAttachments(platform: Pick<Platform, 'db' | 'clock' | 'log' | 'storage'>): Promise<void> {
  const before = after(platform.clock.now(), -hours(unsentHours))
  const ids = await findUnsentAttachments(platform.db, before)
  const message = 'an attachment that nothing carries could not be removed; it is tried again'
  const store = createAwayGuard()
  // In random order, so that uploads that can't be removed don't block all others.
  await eachPart(platform, shuffleByChance(ids), { size: sweptAtOnce, message }, (part) =>
    store.run(() => deleteAttachments(platform, part)),
  )
}

export const conversationJobs = ({ platform }: JobPlatforms): JobSpec[] => [
  { name: 'sweep-attachments', cron: '47 * * * *', mayHang: true, run: () => sweepAttachments(platform) },
]
