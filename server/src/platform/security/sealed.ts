import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { everyKey, type Secrets } from './secrets.ts'

const cipher = 'aes-256-gcm'
const sizes = { nonce: 12, tag: 16 }

/** Encrypts bytes for one `owner`: they can't be read without SECRET_KEY, or used as another owner's. */
export function seal(secrets: Secrets, purpose: string, owner: string, bytes: Buffer): Buffer {
  const nonce = randomBytes(sizes.nonce)
  const sealing = createCipheriv(cipher, secrets.hmac('sealed', purpose), nonce)
  sealing.setAAD(Buffer.from(owner))
  const sealed = Buffer.concat([sealing.update(bytes), sealing.final()])
  return Buffer.concat([nonce, sealing.getAuthTag(), sealed])
}

export function open(secrets: Secrets, purpose: string, owner: string, kept: Buffer): Buffer | undefined {
  if (kept.length < sizes.nonce + sizes.tag) return undefined
  for (const one of everyKey(secrets)) {
    const opened = openWith(one.hmac('sealed', purpose), owner, kept)
    if (opened) return opened
  }
  return undefined
}

function openWith(key: Buffer, owner: string, kept: Buffer): Buffer | undefined {
  const begins = sizes.nonce + sizes.tag
  const opening = createDecipheriv(cipher, key, kept.subarray(0, sizes.nonce), { authTagLength: sizes.tag })
  opening.setAAD(Buffer.from(owner))
  opening.setAuthTag(kept.subarray(sizes.nonce, begins))
  try {
    return Buffer.concat([opening.update(kept.subarray(begins)), opening.final()])
  } catch {
    return undefined
  }
}
