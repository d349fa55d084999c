import { z } from 'zod'
import { type Clock, minutes } from '../clock.ts'
import { everyKey, type Secrets, sameBytes } from './secrets.ts'

interface Signing {
  secrets: Secrets
  clock: Clock
}

const lifeMs = minutes(60)
// Addresses stay the same for five minutes, so that browsers can keep what they got.
const windowMs = minutes(5)

/** What a signed address carries; anything else becomes a signature that fits nothing. */
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

/** The query that lets one viewer alone fetch what is called `name`; it works for an hour at most. */
export function sign(platform: Signing, purpose: string, name: string, viewerId: string): string {
  const until = Math.floor((platform.clock.now().getTime() + lifeMs) / windowMs) * windowMs
  return signUntil(platform, purpose, name, viewerId, new Date(until))
}

/** The same until a moment of its own. */
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

/** Whether `sign` made this query for `name`, and it has not expired. */
export function isSigned(platform: Signing, purpose: string, name: string, query: Signature): boolean {
  const { viewer, expires, signature } = query
  if (expires * 1000 <= platform.clock.now().getTime()) return false
  const given = Buffer.from(signature, 'base64url')
  return everyKey(platform.secrets).some((secrets) =>
    sameBytes(given, signatureOf({ secrets }, purpose, name, viewer, expires)),
  )
}
