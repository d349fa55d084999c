import { everyKey, type Secrets, sameBytes } from '../../platform/security/secrets.ts'

const pattern = /^[A-Za-z0-9_-]{64}$/
const sealOf = (secrets: Secrets, id: string) => secrets.hmac('address-undo', id)

/**
 * The token that undoes an address change: the id of the undo, and a 256-bit seal made with a key that isn't in the
 * database.
 */
export function undoToken(secrets: Secrets, id: string): string {
  return Buffer.concat([Buffer.from(id.replaceAll('-', ''), 'hex'), sealOf(secrets, id)]).toString('base64url')
}

export function undoIdIn(secrets: Secrets, token: string): string | undefined {
  if (!pattern.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  const id = bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  return everyKey(secrets).some((key) => sameBytes(bytes.subarray(16), sealOf(key, id))) ? id : undefined
}
