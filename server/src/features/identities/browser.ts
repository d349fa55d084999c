import { randomBytes } from 'node:crypto'
import { minutes } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'
import { open, seal } from '../../platform/security/sealed.ts'
import type { Flow } from './provider.ts'

/*
 * A cookie ties each step of a sign-in to the browser that started it. Until the provider redirects back, it contains a
 * sealed copy of the values that the callback must match; after that, a random name. Neither is a session, and neither
 * is valid for more than half an hour.
 */

/** A sign-in in progress, with its expiry and whether the device stays signed in afterwards. */
export interface Begun {
  flow: Flow
  stays: boolean
  until: number
}

type Keyed = Pick<Platform, 'secrets' | 'config'>

const purpose = 'oidc-flow'
/**
 * How long someone may spend at the provider, and then how long until they must use the proof. The second is longer
 * because signing up involves some questions.
 */
export const lives = { flow: minutes(10), proof: minutes(30) }

const isSecure = ({ config }: Keyed) => config.publicUrl?.startsWith('https:') ?? false
/** Browsers accept a `__Host-` cookie only from this host, not from others in the same domain. */
const nameOf = (platform: Keyed) => `${isSecure(platform) ? '__Host-' : ''}duet_oidc`

function cookieOf(platform: Keyed, value: string, lifeMs: number): string {
  const rules = `Path=/; Max-Age=${lifeMs / 1000}; HttpOnly; SameSite=Lax`
  return `${nameOf(platform)}=${value}; ${rules}${isSecure(platform) ? '; Secure' : ''}`
}

function valueIn(platform: Keyed, cookies = ''): string {
  const mine = cookies.split(/; ?/).map((one) => one.split('='))
  return mine.find(([name]) => name === nameOf(platform))?.[1] ?? ''
}

export function flowCookie(platform: Keyed, begun: Begun): string {
  const sealed = seal(platform.secrets, purpose, purpose, Buffer.from(JSON.stringify(begun)))
  return cookieOf(platform, sealed.toString('base64url'), lives.flow)
}

/** The sign-in that this browser started; undefined if there is none or it has expired. */
export function begunIn(platform: Keyed & Pick<Platform, 'clock'>, cookies: string | undefined): Begun | undefined {
  const kept = open(platform.secrets, purpose, purpose, Buffer.from(valueIn(platform, cookies), 'base64url'))
  const begun = kept && (JSON.parse(kept.toString()) as Begun)
  return begun && begun.until > platform.clock.now().getTime() ? begun : undefined
}

/** Generates a random name for the browser, and a cookie that contains it and replaces the sign-in. */
export function nameBrowser(platform: Keyed): { browser: string; cookie: string } {
  const browser = randomBytes(32).toString('base64url')
  return { browser, cookie: cookieOf(platform, browser, lives.proof) }
}

export const browserIn = (platform: Keyed, cookies: string | undefined): string => valueIn(platform, cookies)

export const endedCookie = (platform: Keyed): string => cookieOf(platform, '', 0)
