import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { invalid } from '../errors.ts'
import { type Secrets, sameBytes } from '../security/secrets.ts'

type Position = (string | number | null)[]

export function writeCursor(secrets: Secrets, list: string, position: Position): string {
  const text = JSON.stringify(position)
  const seal = secrets.hmac('cursor', list, text).subarray(0, 16)
  return `${Buffer.from(text).toString('base64url')}.${seal.toString('base64url')}`
}

export function readCursor(secrets: Secrets, list: string, cursor: string): Position {
  const [body = '', seal = ''] = cursor.split('.')
  const text = Buffer.from(body, 'base64url').toString()
  if (!sameBytes(Buffer.from(seal, 'base64url'), secrets.hmac('cursor', list, text).subarray(0, 16))) {
    throw invalid([{ path: 'cursor', message: 'is not a cursor of this list' }])
  }
  return JSON.parse(text) as Position
}

export interface PageRequest {
  cursor?: string | undefined
  limit: number
}

/** A position in a list sorted by time (ISO 8601), then by id. */
export interface TimedPosition {
  at: string
  id: string
}

export function readTimedPosition(
  secrets: Secrets,
  list: string,
  cursor: string | undefined,
): TimedPosition | undefined {
  if (!cursor) return undefined
  const [at, id] = readCursor(secrets, list, cursor)
  return { at: String(at), id: String(id) }
}

export const timedPosition = (at: Date, id: string): Position => [at.toISOString(), id]

/** Cuts a page. Query one row more than `limit`, which shows whether there is a next page. */
export function cutPage<Row>(
  secrets: Secrets,
  list: string,
  { rows, limit, positionOf }: { rows: readonly Row[]; limit: number; positionOf: (last: Row) => Position },
): { page: Row[]; nextCursor: string | null } {
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return { page, nextCursor: last ? writeCursor(secrets, list, positionOf(last)) : null }
}

const cipher = 'aes-256-gcm'
const sizes = { nonce: 12, tag: 16 }

/** Encrypts a list position, so that the client can't read it. The same position looks different every time. */
export function sealCursor(secrets: Secrets, list: string, position: Position): string {
  const nonce = randomBytes(sizes.nonce)
  const sealing = createCipheriv(cipher, secrets.hmac('sealed-cursor', list), nonce)
  const sealed = Buffer.concat([sealing.update(JSON.stringify(position)), sealing.final()])
  return Buffer.concat([nonce, sealing.getAuthTag(), sealed]).toString('base64url')
}

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
    return undefined
  }
}
