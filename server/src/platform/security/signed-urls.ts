import { z } from 'zod'
import { type Clock, minutes } from '../clock.ts'
import { everyKey, type Secrets, sameBytes } from './secrets.ts'

interface Signing {
  secrets: Secrets
  clock: Clock
}

const lifeMs = minutes(60)
// URLs stay the same for five minutes, so that browsers can cache the files.
const windowMs = minutes(5)

export const SignedQuery = z.object({
  viewer: z.string().max(64).catch(''),
  expires: z.coerce.number<string>().int().catch(0),
  signature: z.string().max(64).catch(''),
})
export type Signature = z.output<typeof SignedQuery>

function signatureOf(
  { secrets }: Pick<Signing, 'secrets'>,
  purpose: string,
  name: string,
  viewerId: string,
  expires: number,
) {
  return secrets.hmac(purpose, name, viewerId, String(expires))
}

/** A query string that lets only this viewer fetch `name`, for at most an hour. */
export function sign(platform: Signing, purpose: string, name: string, viewerId: string): string {
  const until = Math.floor((platform.clock.now().getTime() + lifeMs) / windowMs) * windowMs
  return signUntil(platform, purpose, name, viewerId, new Date(until))
}

export function signUntil(
  platform: Pick<Signing, 'secrets'>,
  purpose: string,
  name: string,
  viewerId: string,
  at: Date,
) {
  const expires = Math.floor(at.getTime() / 1000)
  const signature = signatureOf(platform, purpose, name, viewerId, expires).toString('base64url')
  return `viewer=${viewerId}&expires=${expires}&signature=${signature}`
}

export function isSigned(platform: Signing, purpose: string, name: string, query: Signature): boolean {
  const { viewer, expires, signature } = query
  if (expires * 1000 <= platform.clock.now().getTime()) return false
  const given = Buffer.from(signature, 'base64url')
  return everyKey(platform.secrets).some((secrets) =>
    sameBytes(given, signatureOf({ secrets }, purpose, name, viewer, expires)),
  )
}
