import { createHash } from 'node:crypto'
import { pictureLimits } from '@duet/contract/picture-limits.ts'
import { encode } from 'blurhash'
import { fileTypeFromBuffer } from 'file-type'
import sharp, { type Metadata, type OutputInfo, type Sharp } from 'sharp'
import { AppError, invalid } from '../../platform/errors.ts'
import { type Developed, widths } from './developed.ts'
import { countScans, withoutWords } from './picture-file.ts'

interface Pixels {
  data: Buffer
  info: OutputInfo
}

// Of an animated PNG (`image/apng`), only the first frame is used.
const accepted = new Set(['image/jpeg', 'image/png', 'image/apng', 'image/webp'])
const { pixels: mostPixels, longestSide } = pictureLimits
/** The most memory that a decoded picture takes: 40 megapixels of four bytes. */
const mostBytes = 160e6
/** Cameras and programs write at most fifteen scans. */
const mostScans = 50
/** A stored picture is at most three times as high as the largest width; taller pictures are made narrower. */
const highest = widths[0] * 3

sharp.cache(false)
sharp.concurrency(1)

/** From now on, this process can open only JPEG, PNG and WebP. */
export function blockOtherFormats(): void {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
  })
}

const unreadable = () => new AppError('unsupported_media_type', "This file isn't a picture we can read.")
const tooManyPixels = () =>
  new AppError(
    'payload_too_large',
    `A photo has at most ${mostPixels / 1e6} megapixels, fewer with 16 bits a colour, and ${longestSide} pixels a side.`,
  )
const tooManyScans = () =>
  new AppError('unsupported_media_type', `This JPEG has more than ${mostScans} scans. Save it again as a photo.`)
const bytesAPixel = ({ depth, channels }: Metadata) => channels * (depth === 'uchar' ? 1 : 2)

function open(bytes: Buffer): Sharp {
  // Cameras write files that libvips warns about, so warnings are ignored. Cut-off or broken files are errors.
  return sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error', sequentialRead: true, pages: 1 })
}

async function requireAcceptable(bytes: Buffer, smallest: number): Promise<void> {
  const type = await fileTypeFromBuffer(bytes).catch(() => undefined)
  if (!type || !accepted.has(type.mime)) {
    throw new AppError('unsupported_media_type', 'Photos must be JPEG, PNG or WebP.')
  }
  if (countScans(bytes) > mostScans) throw tooManyScans()
  // Reads only the header, without libvips's pixel limit, so that our own limit applies.
  const header = await sharp(bytes, { limitInputPixels: false, pages: 1 })
    .metadata()
    .catch(() => {
      throw unreadable()
    })
  const { width, height } = header
  if (Math.min(width, height) < smallest) {
    throw invalid([{ path: 'file', message: `must be at least ${smallest} pixels wide and high` }])
  }
  const pixels = width * height
  if (Math.max(width, height) > longestSide || pixels > mostPixels) throw tooManyPixels()
  if (pixels * bytesAPixel(header) > mostBytes) throw tooManyPixels()
}

const fitting = (width: number) => ({ width, height: highest, fit: 'inside', withoutEnlargement: true }) as const

/** Decodes the file once, at the largest stored size, upright and in sRGB. */
async function decode(bytes: Buffer): Promise<Pixels> {
  return open(bytes)
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
  return sharp(data, { raw: { width, height, channels } })
}

async function blurhashOf(pixels: Pixels): Promise<string> {
  const small = ofPixels(pixels).resize({ width: 32, height: 32, fit: 'inside' }).ensureAlpha().raw()
  const { data, info } = await small.toBuffer({ resolveWithObject: true })
  return encode(new Uint8ClampedArray(data), info.width, info.height, 4, 3)
}

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
 * Converts an uploaded file to new pictures. Throws `payload_too_large`, `unsupported_media_type` or
 * `validation_failed` for everything except an ordinary JPEG, PNG or WebP. `smallest` is the minimum width and height,
 * in pixels. Runs in a decoder process, because nothing here can stop a library that hangs.
 */
export async function develop(file: Buffer, { smallest }: { smallest: number }): Promise<Developed> {
  const bytes = withoutWords(file)
  await requireAcceptable(bytes, smallest)
  const printed = await printPixels(await decode(bytes))
  return { ...printed, sha256: createHash('sha256').update(file).digest() }
}
