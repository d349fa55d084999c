import { limits } from '@duet/contract/limits.ts'
import { AppError } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Developed } from './developed.ts'

/**
 * Converts a file that `ownerId` uploaded to new pictures, in a decoder process. Throws what `develop` and `decode`
 * throw. `smallest` is the minimum width and height, in pixels.
 */
export async function developPhoto(
  { decoders }: Pick<Platform, 'decoders'>,
  ownerId: string,
  bytes: Buffer,
  smallest: number = limits.photoSide,
): Promise<Developed> {
  if (bytes.length > limits.photoBytes) throw new AppError('payload_too_large', 'A file is too large.')
  return (await decoders.decode(ownerId, { decoder: 'photo', bytes, options: { smallest } })) as Developed
}
