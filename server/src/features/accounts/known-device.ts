import { randomBytes } from 'node:crypto'
import { promised } from '@duet/contract/promised.ts'
import { days } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'
import { everyKey, type Secrets, sameBytes } from '../../platform/security/secrets.ts'

/*
 * A browser that has signed in, or sent a correct code, gets a cookie with an id that is sealed for one address. The id
 * doesn't authenticate anyone, but its attempts are counted separately from strangers', so that knowing an address
 * isn't enough to lock its owner out. The first sign-in to an account with a new id is reported to the owner by email.
 */
const name = 'duet_device'
const lifeSeconds = days(promised.deviceDays) / 1000
const pattern = /(?:^|; ?)duet_device=([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})(?:;|$)/

const sealOf = (secrets: Secrets, email: string, device: string) => secrets.hmac('known-device', email, device)

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

export const newDeviceId = () => randomBytes(16).toString('base64url')

interface Asking {
  cookie?: string | undefined
  newDeviceId: string
}

/** The device id for a browser that has proved an address: the one in its cookie, or a new one. */
export const deviceIdFor = (platform: Pick<Platform, 'secrets'>, email: string, { cookie, newDeviceId }: Asking) =>
  knownDevice(platform, email, cookie) ?? newDeviceId

export function deviceCookie(platform: Pick<Platform, 'secrets' | 'config'>, email: string, asking: Asking): string {
  const device = deviceIdFor(platform, email, asking)
  const value = `${device}.${sealOf(platform.secrets, email, device).toString('base64url')}`
  const isSecure = platform.config.publicUrl?.startsWith('https:')
  const rules = `Path=/api/user; Max-Age=${lifeSeconds}; HttpOnly; SameSite=Strict`
  return `${name}=${value}; ${rules}${isSecure ? '; Secure' : ''}`
}
