import { createHash } from 'node:crypto'
import type { Platform } from '../../platform/platform.ts'
import { isSigned, type Signature, sign } from '../../platform/security/signed-urls.ts'

type Storing = Pick<Platform, 'storage'>
type Signing = Pick<Platform, 'secrets' | 'clock'>

const purpose = 'evidence-url'
const types = { webp: 'image/webp', webm: 'audio/webm', ogg: 'audio/ogg', m4a: 'audio/mp4' } as const
const fileNamePattern = /^[0-9a-f]{64}\.(webp|webm|ogg|m4a)$/

const keyOf = (fileName: string) => `evidence/${fileName}`

/** Whether `keepEvidence` could have given a name. */
export function isEvidenceFile(fileName: string): boolean {
  return fileNamePattern.test(fileName)
}

/** The media type of a copy. */
export function contentTypeOfEvidence(fileName: string): string {
  return types[fileName.slice(fileName.lastIndexOf('.') + 1) as keyof typeof types]
}

/**
 * Keeps a copy under the hash of its bytes and gives its name: the same file reported twice is kept once. Null when there
 * is nothing left to copy. `original` gives the ending.
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

/** The bytes of a copy; undefined when there is none. */
export function readEvidence({ storage }: Storing, fileName: string): Promise<Buffer | undefined> {
  return storage.get(keyOf(fileName))
}

/** The address of a copy for one reviewer; null without a copy. */
export function signEvidence(platform: Signing, viewerId: string, fileName: string | null): string | null {
  return fileName && `/media/evidence/${fileName}?${sign(platform, purpose, fileName, viewerId)}`
}

/** Whether `signEvidence` made an address, and it has not expired. */
export function isEvidenceAddress(platform: Signing, fileName: string, signature: Signature): boolean {
  return isSigned(platform, purpose, fileName, signature)
}
