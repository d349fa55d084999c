import type { Platform } from '../../platform/platform.ts'
import { isSigned, type Signature, sign } from '../../platform/security/signed-urls.ts'

type Signing = Pick<Platform, 'secrets' | 'clock'>

const purpose = 'photo-url'

/** A photo's URL for one viewer. It works for an hour, as long as the viewer may see the photo. */
export function signPhoto(platform: Signing, viewerId: string, fileName: string): string {
  return `/media/${fileName}?${sign(platform, purpose, fileName, viewerId)}`
}

export function isPhotoAddress(platform: Signing, fileName: string, signature: Signature): boolean {
  return isSigned(platform, purpose, fileName, signature)
}
