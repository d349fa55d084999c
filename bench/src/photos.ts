import sharp from 'sharp'
import { developPhoto } from '../../server/src/features/photos/develop-aside.ts'
import { createDecoders } from '../../server/src/platform/storage/decoders.ts'
import { median } from '../../tools/percentiles.ts'
import { report } from '../../tools/report.ts'

// P9: converting a 12-megapixel JPEG to three WebP sizes in the product's decoder process, in turns with sharp alone.
const rounds = 9
const widths = [1080, 640, 320]

const noise = { type: 'gaussian', mean: 128, sigma: 12 } as const
const photo = await sharp({ create: { width: 4000, height: 3000, channels: 3, background: '#a65', noise } })
  .blur(2)
  .jpeg({ quality: 88 })
  .toBuffer()

// The minimum work: decode once, encode three times.
async function sharpAlone(): Promise<void> {
  const { data, info } = await sharp(photo).resize({ width: 1080 }).raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  for (const size of widths) {
    await sharp(data, { raw: { width, height, channels } })
      .resize({ width: size })
      .webp({ quality: 82, effort: 4 })
      .toBuffer()
  }
}

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = process.hrtime.bigint()
  await work()
  return Number(process.hrtime.bigint() - start) / 1e6
}

const alone: number[] = []
const product: number[] = []
const decoders = createDecoders()
const develop = () => developPhoto({ decoders }, 'bench', photo)
await sharpAlone()
await develop()
for (let round = 0; round < rounds; round++) {
  alone.push(await millisecondsOf(sharpAlone))
  product.push(await millisecondsOf(develop))
}
await decoders.close()
const ratio = Math.round((median(product) / median(alone)) * 1000) / 1000
const note = `medians of ${rounds}: product ${Math.round(median(product))} ms, sharp alone ${Math.round(median(alone))} ms; with checks, blurhash and hash`
report('photos', [{ id: 'P9.ratio', value: ratio, target: '<= 1.3', note }])
