import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { invalid } from './errors.ts'
import { type Secrets, sameBytes } from './secrets.ts'

type Position = (string | number | null)[]

/** Writes a position in a list as an opaque text that cannot be made up. `list` names the list it belongs to. */
export function writeCursor(secrets: Secrets, list: string, position: Position): string {
  const text = JSON.stringify(position)
  const seal = secrets.hmac('cursor', list, text).subarray(0, 16)
  return `${Buffer.from(text).toString('base64url')}.${seal.toString('base64url')}`
}

/** Reads what `writeCursor` wrote for the same list. Throws `validation_failed` for anything else. */
export function readCursor(secrets: Secrets, list: string, cursor: string): Position {
  const [body = '', seal = ''] = cursor.split('.')
  const text = Buffer.from(body, 'base64url').toString()
  if (!sameBytes(Buffer.from(seal, 'base64url'), secrets.hmac('cursor', list, text).subarray(0, 16))) {
    throw invalid([{ path: 'cursor', message: 'is not a cursor of this list' }])
  }
  return JSON.parse(text) as Position
}

const cipher = 'aes-256-gcm'
const sizes = { nonce: 12, tag: 16 }

/** Writes a position that whoever carries it must not read either; the same one looks different every time. */
export function sealCursor(secrets: Secrets, list: string, position: Position): string {
  const nonce = randomBytes(sizes.nonce)
  const sealing = createCipheriv(cipher, secrets.hmac('sealed-cursor', list), nonce)
  const sealed = Buffer.concat([sealing.update(JSON.stringify(position)), sealing.final()])
  return Buffer.concat([nonce, sealing.getAuthTag(), sealed]).toString('base64url')
}

/** Reads what `sealCursor` wrote for the same list; undefined for anything else. */
export function openCursor(secrets: Secrets, list: string, cursor: string): Position | undefined {
  const bytes = Buffer.from(cursor, 'base64url')
  const begins = sizes.nonce + sizes.tag
  if (bytes.length <= begins) return undefined
  const key = secrets.hmac('sealed-cursor', list)
  const opening = createDecipheriv(cipher, key, bytes.subarray(0, sizes.nonce), { authTagLength: sizes.tag })
  opening.setAuthTag(bytes.subarray(sizes.nonce, begins))
  try {
    return JSON.parse(Buffer.concat([opening.update(bytes.subarray(begins)), opening.final()]).toString()) as Position
  } catch {
    // Not sealed for this list, or not by this house.
    return undefined
  }
}
