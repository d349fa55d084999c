import { minutes } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'
import { sameBytes } from '../../platform/secrets.ts'

type Signing = Pick<Platform, 'secrets' | 'clock'>

const lifeMs = minutes(60)
// Addresses stay the same for five minutes, so that browsers can keep pictures.
const windowMs = minutes(5)

function signatureOf({ secrets }: Pick<Platform, 'secrets'>, fileName: string, viewerId: string, expires: number) {
  return secrets.hmac('photo-url', fileName, viewerId, String(expires))
}

/** The address of a photo for one viewer; it works for an hour, and as long as the viewer may see the photo. */
export function signPhoto(platform: Signing, viewerId: string, fileName: string): string {
  const expires = (Math.ceil((platform.clock.now().getTime() + lifeMs) / windowMs) * windowMs) / 1000
  const signature = signatureOf(platform, fileName, viewerId, expires).toString('base64url')
  return `/media/${fileName}?viewer=${viewerId}&expires=${expires}&signature=${signature}`
}

/** Whether an address was made by `signPhoto` and has not expired. */
export function isSigned(
  platform: Signing,
  fileName: string,
  { viewer, expires, signature }: { viewer: string; expires: number; signature: string },
): boolean {
  if (expires * 1000 <= platform.clock.now().getTime()) return false
  return sameBytes(Buffer.from(signature, 'base64url'), signatureOf(platform, fileName, viewer, expires))
}
