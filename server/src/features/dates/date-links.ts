import { createHash } from 'node:crypto'
import { mailboxOf } from '../../platform/mailbox.ts'
import type { Platform } from '../../platform/platform.ts'
import { everyKey, type Secrets, sameBytes } from '../../platform/security/secrets.ts'

type Keyed = Pick<Platform, 'secrets'>

const tokenPattern = /^[A-Za-z0-9_-]{43}$/
const keyPattern = /^[A-Za-z0-9_-]{86}$/

/**
 * The 256-bit token in a date's link. Derived from this installation's key, so that knowing the database alone doesn't
 * give access.
 */
export function tokenOf({ secrets }: Keyed, dateId: string): string {
  return secrets.hmac('shared_date', dateId).toString('base64url')
}

/** The hash of a token, as the database stores it; undefined if the format is wrong. */
export function hashOf(token: string): Buffer | undefined {
  return tokenPattern.test(token) ? createHash('sha256').update(token).digest() : undefined
}

const pageOf = ({ config }: Pick<Platform, 'config'>, path: string) =>
  `${config.publicUrl ?? `http://localhost:${config.port}`}${path}`

interface Linked {
  id: string
  token_hash: Buffer
}

/** The URL of a date's page. Also works for dates that were shared under an earlier key. */
export function dateUrl(platform: Keyed & Pick<Platform, 'config'>, { id, token_hash }: Linked): string {
  const tokens = everyKey(platform.secrets).map((secrets) => tokenOf({ secrets }, id))
  const token = tokens.find((one) => hashOf(one)?.equals(token_hash)) ?? tokens[0]
  return pageOf(platform, `/date/${token}`)
}

const macOfText = (secrets: Secrets, text: string) => secrets.hmac('declined_contact', text)

/** A keyed hash of a mailbox. All spellings of an address have the same one. */
export function macOf({ secrets }: Keyed, address: string): Buffer {
  return macOfText(secrets, mailboxOf(address))
}

/**
 * All hashes under which an address may be stored: with the current and earlier keys, and by mailbox or by exact
 * address, which the first versions used.
 */
export function macsOf({ secrets }: Keyed, address: string): Buffer[] {
  return everyKey(secrets).flatMap((one) => [macOf({ secrets: one }, address), macOfText(one, address.toLowerCase())])
}

const seal = ({ secrets }: Keyed, mac: Buffer) => secrets.hmac('decline_link', mac.toString('base64url'))

/**
 * The URL where the owner of an address can decline emails. Its token doesn't contain the address and can't be forged.
 */
export function declineUrl(platform: Keyed & Pick<Platform, 'config'>, address: string): string {
  const mac = macOf(platform, address)
  return pageOf(platform, `/date/stop/${Buffer.concat([mac, seal(platform, mac)]).toString('base64url')}`)
}

/** The mailbox hash in a valid token; undefined for an invalid one. */
export function macIn(platform: Keyed, key: string): Buffer | undefined {
  if (!keyPattern.test(key)) return undefined
  const bytes = Buffer.from(key, 'base64url')
  const mac = bytes.subarray(0, 32)
  const isOurs = everyKey(platform.secrets).some((secrets) => sameBytes(bytes.subarray(32), seal({ secrets }, mac)))
  return isOurs ? mac : undefined
}
