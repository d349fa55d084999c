import { randomBytes } from 'node:crypto'
import { days } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'
import { everyKey, type Secrets, sameBytes } from '../../platform/security/secrets.ts'

/*
 * A browser that has signed in, or sent a right code, keeps a cookie that says so, for one address and for this purpose alone: it is no proof of identity.
 * What it tries is counted apart from what strangers try, so that knowing an address is not enough to lock its owner out.
 */
const name = 'duet_device'
const lifeSeconds = days(365) / 1000
const pattern = /(?:^|; ?)duet_device=([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})(?:;|$)/

const sealOf = (secrets: Secrets, email: string, device: string) => secrets.hmac('known-device', email, device)

/** The name of the device that asks, where it has proved this address before. */
export function knownDevice(
  { secrets }: Pick<Platform, 'secrets'>,
  email: string,
  cookie: string | undefined,
): string | undefined {
  const [, device = '', seal = ''] = pattern.exec(cookie ?? '') ?? []
  if (!device) return undefined
  const bytes = Buffer.from(seal, 'base64url')
  return everyKey(secrets).some((one) => sameBytes(bytes, sealOf(one, email, device))) ? device : undefined
}

/** What a browser is told to keep once it has proved an address: the name it has, or a new one. */
export function deviceCookie(
  platform: Pick<Platform, 'secrets' | 'config'>,
  email: string,
  cookie: string | undefined,
): string {
  const device = knownDevice(platform, email, cookie) ?? randomBytes(16).toString('base64url')
  const value = `${device}.${sealOf(platform.secrets, email, device).toString('base64url')}`
  const isSecure = platform.config.publicUrl?.startsWith('https:')
  const rules = `Path=/api/user; Max-Age=${lifeSeconds}; HttpOnly; SameSite=Strict`
  return `${name}=${value}; ${rules}${isSecure ? '; Secure' : ''}`
}
