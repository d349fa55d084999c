import { createHash } from 'node:crypto'
import type { Platform } from '../../platform/platform.ts'
import { isSigned, type Signature, sign } from '../../platform/security/signed-urls.ts'

type Storing = Pick<Platform, 'storage'>
type Signing = Pick<Platform, 'secrets' | 'clock'>

const purpose = 'evidence-url'
const types = { webp: 'image/webp', webm: 'audio/webm', ogg: 'audio/ogg', m4a: 'audio/mp4' } as const
const fileNamePattern = /^[0-9a-f]{64}\.(webp|webm|ogg|m4a)$/

const keyOf = (fileName: string) => `evidence/${fileName}`

export function isEvidenceFile(fileName: string): boolean {
  return fileNamePattern.test(fileName)
}

export function contentTypeOfEvidence(fileName: string): string {
  return types[fileName.slice(fileName.lastIndexOf('.') + 1) as keyof typeof types]
}

/**
 * Stores a copy under the hash of its bytes and returns that name, so that a file reported twice is stored once. Null
 * if the original is gone. The extension comes from `original`.
 */
export async function keepEvidence(
  { storage }: Storing,
  original: string,
  bytes: Buffer | undefined,
): Promise<string | null> {
  if (!bytes) return null
  const ending = original.slice(original.lastIndexOf('.') + 1)
  const fileName = `${createHash('sha256').update(bytes).digest('hex')}.${ending}`
  await storage.put(keyOf(fileName), bytes, contentTypeOfEvidence(fileName))
  return fileName
}

export function readEvidence({ storage }: Storing, fileName: string): Promise<Buffer | undefined> {
  return storage.get(keyOf(fileName))
}

/** The URL works only for this reviewer. Null without a copy. */
export function signEvidence(platform: Signing, viewerId: string, fileName: string | null): string | null {
  return fileName && `/media/evidence/${fileName}?${sign(platform, purpose, fileName, viewerId)}`
}

export function isEvidenceAddress(platform: Signing, fileName: string, signature: Signature): boolean {
  return isSigned(platform, purpose, fileName, signature)
}
