import { createHash } from 'node:crypto'
import { limits } from '@duet/contract/limits.ts'
import { encode } from 'blurhash'
import { fileTypeFromBuffer } from 'file-type'
import pLimit from 'p-limit'
import sharp, { type OutputInfo, type Sharp } from 'sharp'
import { AppError, invalid } from '../../platform/errors.ts'

/** Widths that are kept; `&w=` chooses one, the first is the default. */
export const widths = [1080, 640, 320] as const
export type Width = (typeof widths)[number]

/** A photo as it is kept: new pixels in three sizes, nothing of the file it came from. */
export interface Developed {
  variants: { width: Width; bytes: Buffer }[]
  width: number
  height: number
  blurhash: string
  sha256: Buffer
}

interface Pixels {
  data: Buffer
  info: OutputInfo
}

const accepted = new Set(['image/jpeg', 'image/png', 'image/webp'])
const longestSide = 10_000
const mostPixels = 40e6
const secondsAnImage = 10

// Two at once keep the memory bounded and leave the threads for others.
const queue = pLimit(2)
sharp.cache(false)
sharp.concurrency(1)

/** From here on this process can open nothing but JPEG, PNG and WebP. */
export function blockOtherFormats(): void {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
  })
}

const unreadable = () => new AppError('unsupported_media_type', 'This file is not a picture that can be read.')

function open(bytes: Buffer): Sharp {
  // Cameras write files that libvips warns of; what is cut off or broken is an error.
  return sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error', sequentialRead: true, pages: 1 })
}

async function requireAcceptable(bytes: Buffer, smallest: number): Promise<void> {
  const type = await fileTypeFromBuffer(bytes).catch(() => undefined)
  if (!type || !accepted.has(type.mime)) {
    throw new AppError('unsupported_media_type', 'Photos must be JPEG, PNG or WebP.')
  }
  // Reads the header only, so the limit on pixels is ours to tell.
  const { width, height } = await sharp(bytes, { limitInputPixels: false, pages: 1 })
    .metadata()
    .catch(() => {
      throw unreadable()
    })
  if (Math.min(width, height) < smallest) {
    throw invalid([{ path: 'file', message: `must be at least ${smallest} pixels wide and high` }])
  }
  if (Math.max(width, height) > longestSide || width * height > mostPixels) {
    throw new AppError(
      'payload_too_large',
      `A photo has at most ${mostPixels / 1e6} megapixels and ${longestSide} pixels a side.`,
    )
  }
}

const fitting = (width: number) => ({ width, withoutEnlargement: true })

/** Decodes once, at the largest size that is kept, upright and in sRGB. */
async function decode(bytes: Buffer): Promise<Pixels> {
  return open(bytes)
    .timeout({ seconds: secondsAnImage })
    .autoOrient()
    .resize(fitting(widths[0]))
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(() => {
      throw unreadable()
    })
}

function ofPixels({ data, info: { width, height, channels } }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels } }).timeout({ seconds: secondsAnImage })
}

async function blurhashOf(pixels: Pixels): Promise<string> {
  const small = ofPixels(pixels).resize({ width: 32, height: 32, fit: 'inside' }).ensureAlpha().raw()
  const { data, info } = await small.toBuffer({ resolveWithObject: true })
  return encode(new Uint8ClampedArray(data), info.width, info.height, 4, 3)
}

/** The variants of decoded pixels. */
export async function printPixels(pixels: Pixels): Promise<Omit<Developed, 'sha256'>> {
  const variants = []
  for (const width of widths) {
    const bytes = await ofPixels(pixels).resize(fitting(width)).webp({ quality: 82, effort: 4 }).toBuffer()
    variants.push({ width, bytes })
  }
  const { width, height } = pixels.info
  return { variants, width, height, blurhash: await blurhashOf(pixels) }
}

/**
 * Makes new pictures of an uploaded file. Throws `payload_too_large`, `unsupported_media_type` or `validation_failed`
 * for everything that is not an ordinary JPEG, PNG or WebP; `smallest` is the least width and height, in pixels.
 */
export function developPhoto(bytes: Buffer, smallest = 200): Promise<Developed> {
  if (bytes.length > limits.photoBytes) throw new AppError('payload_too_large', 'A file is too large.')
  return queue(async () => {
    await requireAcceptable(bytes, smallest)
    const printed = await printPixels(await decode(bytes))
    return { ...printed, sha256: createHash('sha256').update(bytes).digest() }
  })
}
