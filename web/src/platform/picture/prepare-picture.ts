import { limits } from '@duet/contract/limits.ts'
import { pictureLimits } from '@duet/contract/picture-limits.ts'
import { type OpenedPicture, openPicture } from './open-picture.ts'
import { kindOf, type PictureKind } from './picture-kind.ts'

/** Why a picture can't be sent. Some callers use this value as the translation key of the error message. */
export type PictureProblem = 'wrongType' | 'tooLarge' | 'heic' | 'failed'

export interface PictureSize {
  width: number
  height: number
}

/**
 * A picture to upload. `size` is missing if the browser couldn't decode it; the server then decides whether to accept
 * it.
 */
export interface ReadyPicture {
  file: File
  size?: PictureSize
}

/** Smaller files are uploaded unchanged, unless they have more pixels than the server accepts. */
const smallBytes = 1024 * 1024
const longestSide = 2160
const quality = 0.9

/**
 * Returns the size to send a picture at, which is never larger than the original. The longer side is scaled down to
 * `longestSide`, or less if that would make the shorter side smaller than `shortest`, but always to within the server's
 * limit.
 */
export function shrunkSize({ width, height }: PictureSize, shortest: number): PictureSize {
  const long = Math.max(width, height)
  const short = Math.min(width, height)
  const scale = Math.min(1, Math.max(longestSide / long, Math.min(shortest / short, pictureLimits.longestSide / long)))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

export async function drawnPicture(
  size: PictureSize,
  draw: (context: CanvasRenderingContext2D) => void,
): Promise<File> {
  const canvas = Object.assign(document.createElement('canvas'), size)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('The browser has no 2D canvas.')
  // JPEG has no transparency: transparent pixels would become black.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.imageSmoothingQuality = 'high'
  draw(context)
  const drawn = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
  if (!drawn) throw new Error('The canvas could not be encoded.')
  return new File([drawn], 'photo.jpg', { type: drawn.type })
}

const isSent = (kind: PictureKind) => kind === 'jpeg' || kind === 'png' || kind === 'webp'
const hasTooManyPixels = ({ width, height }: PictureSize) =>
  width * height > pictureLimits.pixels || Math.max(width, height) > pictureLimits.longestSide

async function shrink(file: File, kind: PictureKind, opened: OpenedPicture, shortest: number): Promise<ReadyPicture> {
  const size = { width: opened.width, height: opened.height }
  const must = !isSent(kind) || hasTooManyPixels(size)
  if (!must && file.size <= smallBytes) return { file, size }
  const to = shrunkSize(size, shortest)
  const drawn = await drawnPicture(to, (context) => context.drawImage(opened.source, 0, 0, to.width, to.height))
  return must || drawn.size < file.size ? { file: drawn, size: to } : { file, size }
}

/**
 * Prepares a picture for upload: converts it to a format that the server accepts and makes it no larger than needed.
 * Re-encoding also removes the location from the metadata. The shorter side stays at least `shortest` pixels long if it
 * was before. `signal` aborts decoding.
 */
export async function preparePicture(
  file: File,
  shortest: number,
  signal?: AbortSignal,
): Promise<ReadyPicture | PictureProblem> {
  const kind = await kindOf(file).catch(() => 'unread' as const)
  if (kind === 'unread') return 'failed'
  if (!kind) return 'wrongType'
  const opened = await openPicture(file, kind, signal)
  const shrunk = opened && (await shrink(file, kind, opened, shortest).catch(() => undefined))
  opened?.close()
  if (!shrunk && !isSent(kind)) return kind === 'heic' ? 'heic' : 'wrongType'
  const ready = shrunk ?? { file }
  return ready.file.size > limits.photoBytes ? 'tooLarge' : ready
}
