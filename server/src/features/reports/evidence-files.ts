import { createHash } from 'node:crypto'
import type { Platform } from '../../platform/platform.ts'
import { isSigned, type Signature, sign } from '../../platform/security/signed-urls.ts'

type Storing = Pick<Platform, 'storage'>
type Signing = Pick<Platform, 'secrets' | 'clock'>

const purpose = 'evidence-url'
const types = { webp: 'image/webp', webm: 'audio/webm', ogg: 'audio/ogg', m4a: 'audio/mp4' } as const
const fileNamePattern = /^[0-9a-f]{64}\.(webp|webm|ogg|m4a)$/

const keyOf = (fileName: string) => `evidence/${fileName}`

/** Whether a name could come from `keepEvidence`. */
export function isEvidenceFile(fileName: string): boolean {
  return fileNamePattern.test(fileName)
}

export function contentTypeOfEvidence(fileName: string): string {
  return types[fileName.slice(fileName.lastIndexOf('.') + 1) as keyof typeof types]
}

/**
 * Stores a copy named by the hash of its bytes, and returns the name, so that a file reported twice is stored once.
 * Null when there is nothing left to copy. The extension comes from `original`.
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

/** A copy's URL for one reviewer; null without a copy. */
export function signEvidence(platform: Signing, viewerId: string, fileName: string | null): string | null {
  return fileName && `/media/evidence/${fileName}?${sign(platform, purpose, fileName, viewerId)}`
}

/** Whether a URL was made by `signEvidence` and hasn't expired. */
export function isEvidenceAddress(platform: Signing, fileName: string, signature: Signature): boolean {
  return isSigned(platform, purpose, fileName, signature)
}
