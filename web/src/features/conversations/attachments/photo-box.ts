import type { PhotoAttachment } from './attachments.api.ts'

const widest = 264
const highest = 320
const least = 96

/** How large a photo shows in a thread, in pixels: known before it is loaded, so that nothing moves when it is. */
export function photoBox({ width, height }: Pick<PhotoAttachment, 'width' | 'height'>) {
  const scale = Math.min(widest / width, highest / height)
  // Very long ones are cut, not drawn as a line; small ones are not blown up far.
  const shown = Math.max(least, Math.round(Math.min(width * 2, width * scale)))
  const high = Math.max(least, Math.round(Math.min(height * 2, height * scale)))
  return { width: shown, aspectRatio: `${shown} / ${high}` }
}
