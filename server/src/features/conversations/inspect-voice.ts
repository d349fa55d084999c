import { limits } from '@duet/contract/limits.ts'
import { fileTypeFromBuffer } from 'file-type'
import { parseBuffer } from 'music-metadata'
import { AppError } from '../../platform/errors.ts'
import type { VoiceFormat } from './voice.ts'
import { cleanMp4 } from './voice-mp4.ts'
import { cleanOgg } from './voice-ogg.ts'
import { cleanWebm, readWebm } from './voice-webm.ts'

/** What a file may be, by its bytes. */
const formats: Record<string, VoiceFormat> = {
  'video/webm': 'webm',
  'audio/ogg; codecs=opus': 'ogg',
  'video/mp4': 'm4a',
  'audio/mp4': 'm4a',
  'audio/x-m4a': 'm4a',
}
/** Removes where and with what a note was recorded, and whatever else may hide in its file. */
const clean = { webm: cleanWebm, ogg: cleanOgg, m4a: cleanMp4 }
/** Recorders end a moment after they are told to. */
const graceMs = 1_000

const unreadable = () => new AppError('unsupported_media_type', "This file isn't a voice message we can read.")

/** What a voice note is, how long, and what of it is kept. */
export interface Inspected {
  format: VoiceFormat
  durationMs: number
  bytes: Uint8Array
}

/** Cleans it, and says how long it is; throws for anything but one track of Opus, or of AAC in MP4. */
async function measure(format: VoiceFormat, bytes: Buffer, mimeType: string): Promise<number> {
  clean[format](bytes)
  if (format === 'webm') {
    // Recorders of browsers do not know the length of what they are still writing, which the library does not read.
    const { codecs, durationMs } = readWebm(bytes)
    if (codecs.join() !== 'A_OPUS') throw unreadable()
    return durationMs
  }
  const { format: found } = await parseBuffer(bytes, { mimeType }, { duration: true, skipCovers: true })
  const isAlone = found.hasAudio && !found.hasVideo && (found.trackInfo?.length ?? 0) <= 1
  const codec = format === 'ogg' ? /^opus$/i : /^MPEG-4\/AAC/i
  if (!isAlone || !codec.test(found.codec ?? '')) throw unreadable()
  return (found.duration ?? 0) * 1000
}

async function formatOf(bytes: Buffer): Promise<{ format: VoiceFormat; mimeType: string }> {
  const mimeType = (await fileTypeFromBuffer(bytes).catch(() => undefined))?.mime ?? ''
  const format = formats[mimeType]
  if (format) return { format, mimeType }
  throw new AppError('unsupported_media_type', 'Voice messages must be Opus in WebM or Ogg, or AAC in MP4.')
}

/**
 * What an uploaded voice note is and how long, by its bytes alone; leaves in them only what playing needs. Throws
 * `payload_too_large` for more than two minutes, `unsupported_media_type` for everything that is not one recording of sound.
 * Runs in a decoder process.
 */
export async function inspectVoice(bytes: Buffer): Promise<Inspected> {
  const { format, mimeType } = await formatOf(bytes)
  const durationMs = await measure(format, bytes, mimeType).catch(() => {
    throw unreadable()
  })
  const most = limits.voiceSeconds * 1000
  if (durationMs > most + graceMs) {
    throw new AppError('payload_too_large', `A voice note has at most ${limits.voiceSeconds} seconds.`)
  }
  if (!(durationMs > 0)) throw unreadable()
  return { format, durationMs: Math.min(most, Math.max(1, Math.round(durationMs))), bytes }
}
