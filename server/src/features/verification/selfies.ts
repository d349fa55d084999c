import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Platform } from '../../platform/platform.ts'

type Keeping = Pick<Platform, 'storage' | 'secrets'>

const cipher = 'aes-256-gcm'
const sizes = { nonce: 12, tag: 16 }

const keyOf = (fileName: string) => `verification/${fileName}`
const secretOf = ({ secrets }: Pick<Platform, 'secrets'>, fileName: string) => secrets.hmac('selfie', fileName)

/** A new random name. */
export function newSelfieName(): string {
  return `${randomBytes(16).toString('base64url')}.sealed`
}

/** Keeps a selfie so that its file alone shows nothing. */
export async function keepSelfie(platform: Keeping, fileName: string, bytes: Buffer): Promise<void> {
  const nonce = randomBytes(sizes.nonce)
  const sealing = createCipheriv(cipher, secretOf(platform, fileName), nonce)
  const sealed = Buffer.concat([sealing.update(bytes), sealing.final()])
  const whole = Buffer.concat([nonce, sealing.getAuthTag(), sealed])
  await platform.storage.put(keyOf(fileName), whole, 'application/octet-stream')
}

/** The picture, a WebP; undefined when it is gone, or was sealed with another SECRET_KEY. */
export async function readSelfie(platform: Keeping, fileName: string): Promise<Buffer | undefined> {
  const whole = await platform.storage.get(keyOf(fileName))
  if (!whole) return undefined
  const begins = sizes.nonce + sizes.tag
  const opening = createDecipheriv(cipher, secretOf(platform, fileName), whole.subarray(0, sizes.nonce))
  opening.setAuthTag(whole.subarray(sizes.nonce, begins))
  try {
    return Buffer.concat([opening.update(whole.subarray(begins)), opening.final()])
  } catch {
    return undefined
  }
}

/** Removes a selfie; gone already is fine. */
export function removeSelfie({ storage }: Pick<Platform, 'storage'>, fileName: string): Promise<void> {
  return storage.remove(keyOf(fileName))
}
