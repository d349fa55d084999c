import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { invalid } from '../errors.ts'
import { type Secrets, sameBytes } from '../security/secrets.ts'

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

/** What is asked of a list: where to go on, from the start unless told, and how many rows at most. */
export interface PageRequest {
  cursor?: string | undefined
  limit: number
}

/** A place in a list that goes by time: the moment (ISO 8601), and the id among rows of one moment. */
export interface TimedPosition {
  at: string
  id: string
}

/** Where the page before ended; undefined at the start. Throws `validation_failed` for a cursor of another list. */
export function readTimedPosition(
  secrets: Secrets,
  list: string,
  cursor: string | undefined,
): TimedPosition | undefined {
  if (!cursor) return undefined
  const [at, id] = readCursor(secrets, list, cursor)
  return { at: String(at), id: String(id) }
}

/** The position of a row in a list that goes by time, as `readTimedPosition` reads it. */
export const timedPosition = (at: Date, id: string): Position => [at.toISOString(), id]

/** The first `limit` of the rows, of which one more was looked for, and the cursor of the next page where there is one. */
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

/** Encrypts a position that the client must not read; the same one looks different every time. */
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
