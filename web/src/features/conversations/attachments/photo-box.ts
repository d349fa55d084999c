import type { PhotoAttachment } from './attachments.api.ts'

const widest = 264
const highest = 320
const least = 96

/**
 * The size at which a thread shows a photo, in pixels. It is computed before the photo loads, so that the layout
 * doesn't shift.
 */
export function photoBox({ width, height }: Pick<PhotoAttachment, 'width' | 'height'>) {
  const scale = Math.min(widest / width, highest / height)
  // Very narrow or flat photos are cropped, because shrinking them would leave only a thin strip. Small photos are
  // enlarged to at most twice their size.
  const shown = Math.max(least, Math.round(Math.min(width * 2, width * scale)))
  const high = Math.max(least, Math.round(Math.min(height * 2, height * scale)))
  return { width: shown, aspectRatio: `${shown} / ${high}` }
}
