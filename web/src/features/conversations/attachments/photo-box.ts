import type { PhotoAttachment } from './attachments.api.ts'

const widest = 264
const highest = 320
const least = 96

/**
 * The size of a photo in a thread, in pixels. It is known before the photo loads, so that nothing moves when it does.
 */
export function photoBox({ width, height }: Pick<PhotoAttachment, 'width' | 'height'>) {
  const scale = Math.min(widest / width, highest / height)
  // Very long photos are cropped, because they would shrink to a line. Small ones are enlarged at most twice.
  const shown = Math.max(least, Math.round(Math.min(width * 2, width * scale)))
  const high = Math.max(least, Math.round(Math.min(height * 2, height * scale)))
  return { width: shown, aspectRatio: `${shown} / ${high}` }
}
