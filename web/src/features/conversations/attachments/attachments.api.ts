import type { Attachment } from '@duet/contract/conversations.ts'
import { problemCode } from '../../../platform/problem.ts'
import { upload } from '../../../platform/upload.ts'

export type PhotoAttachment = Extract<Attachment, { kind: 'photo' }>
export type VoiceAttachment = Extract<Attachment, { kind: 'voice' }>

/** The most photos that can be sent at once. Each is a separate message; the thread groups them into an album. */
export const mostPhotos = 6

/** `waveform` contains evenly spaced loudness values from 0 to 100. */
export interface Recording {
  file: Blob
  durationMs: number
  waveform: number[]
}

export interface Watching {
  onProgress?: (share: number) => void
  signal?: AbortSignal
}

async function send(peerId: string, form: FormData, { onProgress, signal }: Watching): Promise<Attachment> {
  const request = { params: { userId: peerId }, form, ...(signal && { signal }) }
  return upload('POST /api/conversations/:userId/attachments', request, onProgress ?? (() => undefined))
}

export async function uploadPhoto(peerId: string, file: Blob, watching: Watching = {}): Promise<PhotoAttachment> {
  const form = new FormData()
  form.append('file', file, 'photo')
  return (await send(peerId, form, watching)) as PhotoAttachment
}

/** The server reads the form fields in order and needs the recording's metadata before the file. */
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
// The file's type and size were checked before the upload, so these errors concern the image itself.
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
export type UploadProblem = Words<typeof problems> | Words<typeof ofPhoto> | Words<typeof ofVoice> | 'failed'

export function uploadProblem(error: unknown, kind: Attachment['kind'] = 'photo'): UploadProblem {
  const known: Record<string, UploadProblem> = { ...problems, ...(kind === 'voice' ? ofVoice : ofPhoto) }
  return known[problemCode(error)] ?? 'failed'
}
