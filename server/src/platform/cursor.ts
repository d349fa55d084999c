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
