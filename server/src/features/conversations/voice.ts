import { randomBytes } from 'node:crypto'
import type { Platform } from '../../platform/platform.ts'

type Storing = Pick<Platform, 'storage'>

/** The formats that browsers record, and the MIME type that each is served with. */
const types = { webm: 'audio/webm', ogg: 'audio/ogg', m4a: 'audio/mp4' } as const
export type VoiceFormat = keyof typeof types

const fileNamePattern = /^[A-Za-z0-9_-]{22}\.(webm|ogg|m4a)$/

export function isVoiceFile(fileName: string): boolean {
  return fileNamePattern.test(fileName)
}

export function voiceType(fileName: string): string {
  return types[fileName.slice(fileName.lastIndexOf('.') + 1) as VoiceFormat]
}

export const voiceKey = (fileName: string) => `attachments/voice/${fileName}`

/** Stores a voice message under a new random name. It can't be played until a database row refers to it. */
export async function keepVoice({ storage }: Storing, format: VoiceFormat, bytes: Buffer): Promise<string> {
  const fileName = `${randomBytes(16).toString('base64url')}.${format}`
  await storage.put(voiceKey(fileName), bytes, types[format])
  return fileName
}

export function readVoice({ storage }: Storing, fileName: string): Promise<Buffer | undefined> {
  return storage.get(voiceKey(fileName))
}

export function removeVoice({ storage }: Storing, fileName: string): Promise<void> {
  return storage.remove(voiceKey(fileName))
}
