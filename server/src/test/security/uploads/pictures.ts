import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

/** A marker hidden in files that contain more than a picture. It must not appear in anything stored. */
export const canary = 'CANARY-in-a-file'
const script = `<html><script>/*${canary}*/alert(1)</script></html>`
const php = `<?php /*${canary}*/ system($_GET['c']); ?>`
const pdf = `%PDF-1.7\n1 0 obj << /Type /Catalog /OpenAction << /S /JavaScript /JS (${canary}) >> >> endobj\n%%EOF\n`

const pixels = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#a63', noise: { type: 'gaussian', sigma: 20 } } })
export const jpeg = (width = 240, height = 240) => pixels(width, height).jpeg().toBuffer()

async function commented(text: string): Promise<Buffer> {
  const bytes = await jpeg()
  const comment = Buffer.from(text)
  const head = Buffer.from([0xff, 0xfe, (comment.length + 2) >> 8, (comment.length + 2) & 0xff])
  return Buffer.concat([bytes.subarray(0, 2), head, comment, bytes.subarray(2)])
}

const before = async (text: string) => Buffer.concat([Buffer.from(text), await jpeg()])
const behind = async (text: string) => Buffer.concat([await jpeg(), Buffer.from(text)])

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

const numbers = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [place, value] of values.entries()) bytes.writeUInt32BE(value, place * 4)
  return bytes
}

/** A PNG of one bit per pixel, small as a file and large in memory. Only `rows` rows of its pixels are present. */
export function bomb(side: number, rows = side): Buffer {
  const header = Buffer.concat([numbers(side, side), Buffer.from([1, 0, 0, 0, 0])])
  const data = deflateSync(Buffer.alloc((Math.ceil(side / 8) + 1) * rows), { level: 9 })
  return Buffer.concat([...[signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]])
}

/** An animated PNG with `frames` more frames after the first. */
function movingPng(side: number, frames: number): Buffer {
  const header = Buffer.concat([numbers(side, side), Buffer.from([8, 0, 0, 0, 0])])
  const data = deflateSync(Buffer.alloc((side + 1) * side))
  const control = (place: number) =>
    chunk('fcTL', Buffer.concat([numbers(place, side, side, 0, 0), Buffer.from([0, 1, 0, 100, 0, 0])]))
  const moves = Array.from({ length: frames }, (_, n) =>
    Buffer.concat([control(2 * n + 1), chunk('fdAT', Buffer.concat([numbers(2 * n + 2), data]))]),
  )
  return Buffer.concat([
    ...[signature, chunk('IHDR', header), chunk('acTL', numbers(frames + 1, 0)), control(0), chunk('IDAT', data)],
    ...[...moves, chunk('IEND', Buffer.alloc(0))],
  ])
}

const sized3 = (value: number) => Buffer.from([value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff])

function riff(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(data.length)
  return Buffer.concat([Buffer.from(type), length, data, Buffer.alloc(data.length % 2)])
}

/** An animated WebP that repeats one frame `frames` times. */
async function movingWebp(side: number, frames: number): Promise<Buffer> {
  const flat = sharp({ create: { width: side, height: side, channels: 3, background: '#a63' } })
  const still = (await flat.webp({ quality: 1 }).toBuffer()).subarray(12)
  const box = Buffer.concat([sized3(side - 1), sized3(side - 1)])
  const frame = riff('ANMF', Buffer.concat([Buffer.alloc(6), box, sized3(10), Buffer.from([0]), still]))
  const head = [riff('VP8X', Buffer.concat([Buffer.from([2, 0, 0, 0]), box])), riff('ANIM', Buffer.alloc(6))]
  return riff('RIFF', Buffer.concat([Buffer.from('WEBP'), ...head, ...Array<Buffer>(frames).fill(frame)]))
}

export interface Upload {
  make(): Buffer | Promise<Buffer>
  /** The status of the refusal; undefined for a picture that is accepted and re-encoded. */
  refused?: number
  name?: string
}

const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><script>${canary}</script></svg>`

export const corpus: Record<string, Upload> = {
  'an SVG named .jpg': { make: () => Buffer.from(svg), refused: 415 },
  'an SVG behind a JPEG’s first bytes': {
    make: () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from(svg)]),
    refused: 415,
  },
  'a page named .jpg': { make: () => Buffer.from(script), refused: 415 },
  'a JPEG that is a page as well': { make: () => commented(script), name: 'photo.html' },
  'a JPEG with a page before it': { make: () => before(script), refused: 415 },
  'a JPEG that is a PDF as well': { make: () => commented(pdf), name: 'photo.pdf' },
  'a JPEG with a PDF before it': { make: () => before(pdf), refused: 415 },
  'a JPEG with a zip behind it': { make: () => behind(`PK\x03\x04${canary}PK\x05\x06`), name: 'photo.zip' },
  'a JPEG with PHP in its Exif': {
    make: () =>
      pixels(240, 240)
        .jpeg()
        .withExif({ IFD0: { Copyright: php, Software: php } })
        .toBuffer(),
    name: 'photo.php',
  },
  'a PNG of 50,000 by 50,000': { make: () => bomb(50_000, 2_000), refused: 413 },
  'a PNG of 40 megapixels less one row': { make: () => bomb(6_320) },
  'a PNG that promises more rows than it has': { make: () => bomb(4_000, 100), refused: 415 },
  'an animated PNG of 500 frames': { make: () => movingPng(240, 500) },
  'a WebP that moves 20,000 times': { make: () => movingWebp(240, 20_000) },
  'a JPEG cut in half': { make: async () => (await jpeg()).subarray(0, 4_000), refused: 415 },
  'a JPEG in the colours of print': { make: () => pixels(240, 240).toColourspace('cmyk').jpeg().toBuffer() },
  'a single pixel': { make: () => jpeg(1, 1), refused: 400 },
  'a picture one pixel high': { make: () => jpeg(9_999, 1), refused: 400 },
  'an empty file': { make: () => Buffer.alloc(0), refused: 415 },
  'a file of 8 MiB and a byte': { make: () => Buffer.alloc(8 * 1024 * 1024 + 1, 1), refused: 413 },
  'a picture named as a path': { make: () => jpeg(), name: '../../../../etc/passwd' },
  'a picture with a NUL in its name': { make: () => jpeg(), name: 'photo.php\0.jpg' },
  'a picture with a name of 300 characters': { make: () => jpeg(), name: 'x'.repeat(300) },
  'a picture with a header in its name': { make: () => jpeg(), name: 'a"\r\nX-Injected: 1\r\n.jpg' },
}

const segment = (marker: number, ...body: number[]) =>
  Buffer.from([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 0xff, ...body])

/** Packs bits into bytes and pads the last byte with ones, as JPEG does. */
const packed = (bits: string) =>
  Buffer.from(
    (bits.match(/.{1,8}/g) ?? []).flatMap((byte) => {
      const value = Number.parseInt(byte.padEnd(8, '1'), 2)
      return value === 0xff ? [0xff, 0] : [value]
    }),
  )

/** A scan that encodes `blocks` empty blocks with end-of-block runs. */
function emptyScan(blocks: number): Buffer {
  let bits = ''
  for (let left = blocks; left > 0; ) {
    const power = Math.min(14, Math.floor(Math.log2(left)))
    const run = Math.min(left, 2 ** (power + 1) - 1)
    bits +=
      power.toString(2).padStart(4, '0') + (power === 0 ? '' : (run - 2 ** power).toString(2).padStart(power, '0'))
    left -= run
  }
  return packed(bits)
}

/**
 * A valid grey progressive JPEG with `scans` scans, at most 2,647: every bit of every coefficient may have its own
 * scan, and for each scan a decoder processes the whole picture.
 */
export function manyScans(side: number, scans: number): Buffer {
  const blocks = Math.ceil(side / 8) ** 2
  const empty = emptyScan(blocks)
  const rest = [1, 2, 3].flatMap((component) =>
    Array.from({ length: 63 * 14 }, (_, n) => {
      const [coefficient, bit] = [1 + Math.floor(n / 14), 13 - (n % 14)]
      return Buffer.concat([
        segment(0xda, 1, component, 0, coefficient, coefficient, bit === 13 ? bit : ((bit + 1) << 4) | bit),
        empty,
      ])
    }),
  )
  const size = [side >> 8, side & 0xff]
  const counts = (...lengths: [bits: number, codes: number][]) =>
    Array.from({ length: 16 }, (_, n) => lengths.find(([bits]) => bits === n + 1)?.[1] ?? 0)
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, 0, ...Array<number>(64).fill(1)),
    segment(0xc2, 8, ...size, ...size, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0),
    segment(0xc4, 0x00, ...counts([1, 1]), 0),
    segment(0xc4, 0x10, ...counts([4, 15]), ...Array.from({ length: 15 }, (_, power) => power << 4)),
    segment(0xda, 3, 1, 0, 2, 0, 3, 0, 0, 0, 0),
    Buffer.alloc(Math.ceil((blocks * 3) / 8)),
    ...rest.slice(0, scans - 1),
    Buffer.from([0xff, 0xd9]),
  ])
}

/** A small PNG with `count` text chunks that each decompress to `bytes`. */
export async function manyTexts(count: number, bytes: number): Promise<Buffer> {
  const png = await pixels(240, 240).png().toBuffer()
  const text = chunk(
    'zTXt',
    Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(bytes), { level: 9 })]),
  )
  const start = signature.length + 25
  return Buffer.concat([png.subarray(0, start), ...Array<Buffer>(count).fill(text), png.subarray(start)])
}
