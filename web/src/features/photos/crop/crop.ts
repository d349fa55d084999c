import { limits } from '@duet/contract/limits.ts'
import { drawnPicture, type PictureSize } from '../../../platform/picture/prepare-picture.ts'

/** In pixels of the picture. */
export interface Part extends PictureSize {
  x: number
  y: number
}

export const cardShape = 3 / 4
// If the aspect ratios differ by less than this, the person isn't asked to crop.
const slack = 0.02
// The greatest width at which photos are shown, in pixels.
export const widest = 1440

export const fitsCard = ({ width, height }: PictureSize): boolean => Math.abs(width / height / cardShape - 1) <= slack

export const isTooSmall = ({ width, height }: PictureSize): boolean =>
  Math.min(Math.round(width), Math.round(height)) < limits.photoSide

/** The size after EXIF rotation; undefined if this browser can't open the picture. */
export async function sizeOf(picture: Blob): Promise<PictureSize | undefined> {
  try {
    const bitmap = await createImageBitmap(picture)
    const { width, height } = bitmap
    bitmap.close()
    return { width, height }
  } catch {
    return undefined
  }
}

export function sentSize({ width, height }: PictureSize): PictureSize {
  const scale = Math.min(1, widest / width)
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}

export async function drawPart(picture: Blob, part: Part): Promise<File> {
  const bitmap = await createImageBitmap(picture)
  const { width, height } = sentSize(part)
  try {
    return await drawnPicture({ width, height }, (context) =>
      context.drawImage(bitmap, part.x, part.y, part.width, part.height, 0, 0, width, height),
    )
  } finally {
    bitmap.close()
  }
}
