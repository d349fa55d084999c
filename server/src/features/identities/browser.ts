import { randomBytes } from 'node:crypto'
import { minutes } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'
import { open, seal } from '../../platform/security/sealed.ts'
import type { Flow } from './provider.ts'

/*
 * A cookie ties each step to the browser that began. On the way to the provider it holds, sealed, what the way back
 * must match; after that, a random name. Neither is a session, and neither lasts longer than half an hour.
 */

/** A sign-in in progress, with its expiry and whether the device will stay signed in. */
export interface Begun {
  flow: Flow
  stays: boolean
  until: number
}

type Keyed = Pick<Platform, 'secrets' | 'config'>

const purpose = 'oidc-flow'
/** How long someone may take at the provider, and then to fetch their proof, since signing up asks some questions. */
export const lives = { flow: minutes(10), proof: minutes(30) }

const isSecure = ({ config }: Keyed) => config.publicUrl?.startsWith('https:') ?? false
/** With the prefix `__Host-`, browsers accept it only from this host, not from another one in the same domain. */
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

/** The sign-in that this browser began; undefined if there is none, or if it is too old. */
export function begunIn(platform: Keyed & Pick<Platform, 'clock'>, cookies: string | undefined): Begun | undefined {
  const kept = open(platform.secrets, purpose, purpose, Buffer.from(valueIn(platform, cookies), 'base64url'))
  const begun = kept && (JSON.parse(kept.toString()) as Begun)
  return begun && begun.until > platform.clock.now().getTime() ? begun : undefined
}

/** A random name for the browser, and the cookie with it, which replaces the sign-in. */
export function nameBrowser(platform: Keyed): { browser: string; cookie: string } {
  const browser = randomBytes(32).toString('base64url')
  return { browser, cookie: cookieOf(platform, browser, lives.proof) }
}

/** The browser's name; empty if it has none. */
export const browserIn = (platform: Keyed, cookies: string | undefined): string => valueIn(platform, cookies)

export const endedCookie = (platform: Keyed): string => cookieOf(platform, '', 0)
