import { limits } from '@duet/contract/limits.ts'
import { fileTypeFromBuffer } from 'file-type'
import { AppError } from '../../platform/errors.ts'
import type { VoiceFormat } from './voice.ts'
import { cleanMp4 } from './voice-mp4.ts'
import { cleanOgg } from './voice-ogg.ts'
import { cleanWebm } from './voice-webm.ts'

const formats: Record<string, VoiceFormat> = {
  'video/webm': 'webm',
  'audio/ogg; codecs=opus': 'ogg',
  'video/mp4': 'm4a',
  'audio/mp4': 'm4a',
  'audio/x-m4a': 'm4a',
}
/**
 * Each function zeroes metadata and everything else that could hide in the file, and returns the duration in
 * milliseconds.
 */
const clean = { webm: cleanWebm, ogg: cleanOgg, m4a: cleanMp4 }
/** Added to the maximum duration, because recorders stop a moment late. */
const graceMs = 1_000

const unreadable = () => new AppError('unsupported_media_type', "This file isn't a voice message we can read.")

export interface Inspected {
  format: VoiceFormat
  durationMs: number
  bytes: Uint8Array
}

function measure(format: VoiceFormat, bytes: Buffer): number {
  try {
    return clean[format](bytes)
  } catch {
    throw unreadable()
  }
}

async function formatOf(bytes: Buffer): Promise<VoiceFormat> {
  const mimeType = (await fileTypeFromBuffer(bytes).catch(() => undefined))?.mime ?? ''
  const format = formats[mimeType]
  if (format) return format
  throw new AppError('unsupported_media_type', 'Voice messages must be Opus in WebM or Ogg, or AAC in MP4.')
}

/**
 * Determines a voice message's format and duration from its bytes alone, and zeroes everything that playback doesn't
 * need. Throws `payload_too_large` for more than two minutes, and `unsupported_media_type` for anything but a single
 * sound recording. Runs in a decoder process.
 */
export async function inspectVoice(bytes: Buffer): Promise<Inspected> {
  const format = await formatOf(bytes)
  const durationMs = measure(format, bytes)
  const most = limits.voiceSeconds * 1000
  if (durationMs > most + graceMs) {
    throw new AppError('payload_too_large', `A voice note has at most ${limits.voiceSeconds} seconds.`)
  }
  if (!(durationMs > 0)) throw unreadable()
  return { format, durationMs: Math.min(most, Math.max(1, Math.round(durationMs))), bytes }
}
