import { randomBytes } from 'node:crypto'
import type { Platform } from '../../platform/platform.ts'
import { open, seal } from '../../platform/security/sealed.ts'

type Keeping = Pick<Platform, 'storage' | 'secrets'>

const purpose = 'selfie'
export const selfieKey = (fileName: string) => `verification/${fileName}`

export function newSelfieName(): string {
  return `${randomBytes(16).toString('base64url')}.sealed`
}

/** Encrypts the selfie, so that the file alone shows nothing. */
export async function keepSelfie({ storage, secrets }: Keeping, fileName: string, bytes: Buffer): Promise<void> {
  await storage.put(selfieKey(fileName), seal(secrets, purpose, fileName, bytes), 'application/octet-stream')
}

/** A WebP picture; undefined if it is gone, or was sealed with another SECRET_KEY. */
export async function readSelfie({ storage, secrets }: Keeping, fileName: string): Promise<Buffer | undefined> {
  const kept = await storage.get(selfieKey(fileName))
  return kept && open(secrets, purpose, fileName, kept)
}
