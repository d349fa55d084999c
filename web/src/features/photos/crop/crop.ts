import { limits } from '@duet/contract/limits.ts'
import { drawnPicture, type PictureSize } from '../../../platform/picture/prepare-picture.ts'

/** A part of a picture, in pixels of that picture. */
export interface Part extends PictureSize {
  x: number
  y: number
}

/** Width divided by height of the cards that show profile photos. */
export const cardShape = 3 / 4
// A smaller difference in shape isn't worth a question.
const slack = 0.02
// In pixels. Photos are never shown wider.
export const widest = 1440

export const fitsCard = ({ width, height }: PictureSize): boolean => Math.abs(width / height / cardShape - 1) <= slack

export const isTooSmall = ({ width, height }: PictureSize): boolean =>
  Math.min(Math.round(width), Math.round(height)) < limits.photoSide

/** The size of a picture after its EXIF rotation; undefined if this browser can't open it. */
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
