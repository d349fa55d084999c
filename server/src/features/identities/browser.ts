import { randomBytes } from 'node:crypto'
import { minutes } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'
import { open, seal } from '../../platform/security/sealed.ts'
import type { Flow } from './provider.ts'

/*
 * A cookie ties each step to the browser that began: on the way to the provider it holds, sealed, what the way back must
 * fit; from then on a name that nothing else knows. Neither is a session, and neither outlives half an hour.
 */

/** A flow, and when it is too old; whether the device is to stay signed in. */
export interface Begun {
  flow: Flow
  stays: boolean
  until: number
}

type Keyed = Pick<Platform, 'secrets' | 'config'>

const purpose = 'oidc-flow'
/** How long someone may take at the provider, and then to come for their proof: to sign up, they have questions to answer. */
export const lives = { flow: minutes(10), proof: minutes(30) }

const isSecure = ({ config }: Keyed) => config.publicUrl?.startsWith('https:') ?? false
/** With its beginning, browsers take it from this host alone, never from a neighbour in the same domain. */
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

/** What this browser began; undefined where it began nothing, or too long ago. */
export function begunIn(platform: Keyed & Pick<Platform, 'clock'>, cookies: string | undefined): Begun | undefined {
  const kept = open(platform.secrets, purpose, purpose, Buffer.from(valueIn(platform, cookies), 'base64url'))
  const begun = kept && (JSON.parse(kept.toString()) as Begun)
  return begun && begun.until > platform.clock.now().getTime() ? begun : undefined
}

/** A name for the browser, and the cookie that gives it in the place of what it began. */
export function nameBrowser(platform: Keyed): { browser: string; cookie: string } {
  const browser = randomBytes(32).toString('base64url')
  return { browser, cookie: cookieOf(platform, browser, lives.proof) }
}

/** The name of this browser; empty where it has none. */
export const browserIn = (platform: Keyed, cookies: string | undefined): string => valueIn(platform, cookies)

/** Takes the cookie away. */
export const endedCookie = (platform: Keyed): string => cookieOf(platform, '', 0)
