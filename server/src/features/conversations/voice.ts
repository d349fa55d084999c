import { randomBytes } from 'node:crypto'
import type { Platform } from '../../platform/platform.ts'

type Storing = Pick<Platform, 'storage'>

/** What recorders of browsers write; each is served under its own audio type. */
const types = { webm: 'audio/webm', ogg: 'audio/ogg', m4a: 'audio/mp4' } as const
export type VoiceFormat = keyof typeof types

const fileNamePattern = /^[A-Za-z0-9_-]{22}\.(webm|ogg|m4a)$/

/** Whether `keepVoice` could have given a name. */
export function isVoiceFile(fileName: string): boolean {
  return fileNamePattern.test(fileName)
}

/** The media type of a kept voice note. */
export function voiceType(fileName: string): string {
  return types[fileName.slice(fileName.lastIndexOf('.') + 1) as VoiceFormat]
}

/** Where a voice note is in the store. */
export const voiceKey = (fileName: string) => `attachments/voice/${fileName}`

/** Keeps a voice note under a new random name. A row makes it heard. */
export async function keepVoice({ storage }: Storing, format: VoiceFormat, bytes: Buffer): Promise<string> {
  const fileName = `${randomBytes(16).toString('base64url')}.${format}`
  await storage.put(voiceKey(fileName), bytes, types[format])
  return fileName
}

/** The bytes of a voice note; undefined when they are gone. */
export function readVoice({ storage }: Storing, fileName: string): Promise<Buffer | undefined> {
  return storage.get(voiceKey(fileName))
}

/** Removes the file of a voice note; gone already is fine. */
export function removeVoice({ storage }: Storing, fileName: string): Promise<void> {
  return storage.remove(voiceKey(fileName))
}
