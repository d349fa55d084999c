import type { Attachment } from '@duet/contract/conversations.ts'
import { problemCode } from '../../../platform/problem.ts'
import { upload } from '../../../platform/upload.ts'

export type PhotoAttachment = Extract<Attachment, { kind: 'photo' }>
export type VoiceAttachment = Extract<Attachment, { kind: 'voice' }>

/** So many photos go at once, each as a message of its own; the thread shows them as an album. */
export const mostPhotos = 6

/** A voice note as it was recorded; `waveform` is loudness from 0 to 100, evenly spaced. */
export interface Recording {
  file: Blob
  durationMs: number
  waveform: number[]
}

/** Follows an upload, and can stop it. */
export interface Watching {
  onProgress?: (share: number) => void
  signal?: AbortSignal
}

async function send(peerId: string, form: FormData, { onProgress, signal }: Watching): Promise<Attachment> {
  const request = { params: { userId: peerId }, form, ...(signal && { signal }) }
  return upload('POST /api/conversations/:userId/attachments', request, onProgress ?? (() => undefined))
}

/** Uploads a photo for a message to someone; its id goes with the message. */
export async function uploadPhoto(peerId: string, file: Blob, watching: Watching = {}): Promise<PhotoAttachment> {
  const form = new FormData()
  form.append('file', file, 'photo')
  return (await send(peerId, form, watching)) as PhotoAttachment
}

/** Uploads a voice note for a message. The description of the sound comes before it. */
export async function uploadVoice(
  peerId: string,
  { file, durationMs, waveform }: Recording,
  watching: Watching = {},
): Promise<VoiceAttachment> {
  const form = new FormData()
  form.append('durationMs', String(durationMs))
  form.append('waveform', JSON.stringify(waveform))
  form.append('file', file, 'voice')
  return (await send(peerId, form, watching)) as VoiceAttachment
}

const problems = {
  offline: 'offline',
  rate_limited: 'tooOften',
  forbidden: 'refused',
  not_found: 'refused',
} as const
// The file type and the size in bytes were checked before the upload, so these codes are about the picture itself.
const ofPhoto = {
  payload_too_large: 'tooManyPixels',
  unsupported_media_type: 'damaged',
  validation_failed: 'tooSmall',
} as const
const ofVoice = {
  payload_too_large: 'voiceTooLong',
  unsupported_media_type: 'voiceUnreadable',
  validation_failed: 'voiceUnreadable',
} as const

type Words<Codes> = Codes[keyof Codes]
/** Why something was not uploaded: a key of the texts. */
export type UploadProblem = Words<typeof problems> | Words<typeof ofPhoto> | Words<typeof ofVoice> | 'failed'

/** What went wrong with an upload, as a key of the texts. */
export function uploadProblem(error: unknown, kind: Attachment['kind'] = 'photo'): UploadProblem {
  const known: Record<string, UploadProblem> = { ...problems, ...(kind === 'voice' ? ofVoice : ofPhoto) }
  return known[problemCode(error)] ?? 'failed'
}
