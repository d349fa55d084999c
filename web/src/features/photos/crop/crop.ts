import { limits } from '@duet/contract/limits.ts'
import { drawnPicture, type PictureSize } from '../../../platform/picture/prepare-picture.ts'

/** A part of a picture, in its pixels. */
export interface Part extends PictureSize {
  x: number
  y: number
}

/** The shape of a card, in which profiles show their photos: width by height. */
export const cardShape = 3 / 4
// So little would be cut off that there is nothing to choose.
const slack = 0.02
// Wider than anything that is shown, in pixels: the rest would only be carried about.
export const widest = 1440

export const fitsCard = ({ width, height }: PictureSize): boolean => Math.abs(width / height / cardShape - 1) <= slack

/** Whether the server would refuse it. */
export const isTooSmall = ({ width, height }: PictureSize): boolean =>
  Math.min(Math.round(width), Math.round(height)) < limits.photoSide

/** How large a picture is, turned as its camera says; undefined when it cannot be opened here. */
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

/** The size in which a part is sent: never larger than it is. */
export function sentSize({ width, height }: PictureSize): PictureSize {
  const scale = Math.min(1, widest / width)
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}

/** A part of a picture as a file of its own. Throws when it cannot be drawn. */
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
