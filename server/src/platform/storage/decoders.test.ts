import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { afterEach, describe, expect, it } from 'vitest'
import { developPhoto } from '../../features/photos/develop-aside.ts'
import { countScans, withoutWords } from '../../features/photos/picture-file.ts'
import { jpeg, manyScans, manyTexts } from '../../test/security/uploads/pictures.ts'
import { createDecoders, type DecoderOptions, type Decoders } from './decoders.ts'

const unchecked = fileURLToPath(new URL('../../test/decode-unchecked.test-process.ts', import.meta.url))
const opened: Decoders[] = []
afterEach(async () => void (await Promise.all(opened.splice(0).map((one) => one.close()))))

function open(options: Partial<DecoderOptions> = {}): Decoders {
  const decoders = createDecoders({ program: unchecked, ...options })
  opened.push(decoders)
  return decoders
}
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'made',
    (error) => error.code ?? String(error),
  )

describe('Photos', () => {
  it('A photo with an absurd number of scans is rejected before decoding', async () => {
    const bytes = manyScans(2_000, 2_600)
    expect(countScans(bytes)).toBe(2_600)
    await expect(developPhoto({ decoders: open() }, 'ana', bytes)).rejects.toMatchObject({
      code: 'unsupported_media_type',
      message: expect.stringContaining('scans'),
    })
  })

  it('A photo cannot hide scans behind a meaningless marker', async () => {
    const bytes = manyScans(200, 100)
    const at = bytes.lastIndexOf(Buffer.from([0xff, 0xd9]))
    const hidden = Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff, 0x02, 0xff, 0xff]), bytes.subarray(at)])
    expect(countScans(hidden)).toBe(Number.POSITIVE_INFINITY)
    // Phones append other data, such as a video, which isn't scanned.
    expect(countScans(Buffer.concat([await jpeg(), hidden]))).toBe(1)
  })

  it('A photo from an ordinary program has few scans', async () => {
    const progressive = await sharp(await jpeg(400, 400))
      .jpeg({ progressive: true, mozjpeg: true })
      .toBuffer()
    expect(countScans(progressive)).toBeGreaterThan(1)
    expect(countScans(progressive)).toBeLessThanOrEqual(15)
    expect([
      countScans(await jpeg()),
      countScans(Buffer.from([0xff, 0xd8, 0xff, 0xff])),
      countScans(Buffer.alloc(0)),
    ]).toEqual([1, 0, 0])
  })

  it('A photo loses text chunks that would unpack to gigabytes, and nothing else', { tags: 'long' }, async () => {
    const bytes = await manyTexts(40, 1_000_000)
    const plain = withoutWords(bytes)
    expect(plain.includes('zTXt')).toBe(false)
    const [before, after] = await Promise.all([bytes, plain].map((one) => sharp(one).raw().toBuffer()))
    expect(before).toEqual(after)
  })
})

describe('Slow files', () => {
  it('A file that takes too long is rejected and its process killed', { tags: 'long' }, async () => {
    const decoders = open({ processes: 1, cpuMs: 3_000 })
    const dear = { decoder: 'unchecked', bytes: manyScans(6_300, 2_600) }
    // With a single process, the next person's photo is decoded only after the kill.
    const [hostile, ordinary] = [
      codeOf(decoders.decode('mallory', dear)),
      developPhoto({ decoders }, 'ana', await jpeg()),
    ]
    expect(await hostile).toBe('unsupported_media_type')
    expect((await ordinary).variants).toHaveLength(3)
  })

  it('A second slow file blocks its sender for an hour, and nobody else', { tags: 'long' }, async () => {
    const decoders = open({ cpuMs: 500 })
    const dear = { decoder: 'unchecked', bytes: manyScans(6_300, 2_600) }
    const codes = await Promise.all([1, 2, 3].map(() => codeOf(decoders.decode('mallory', dear))))
    expect(codes).toEqual(['unsupported_media_type', 'unsupported_media_type', 'rate_limited'])
    expect(await codeOf(decoders.decode('ana', dear))).toBe('unsupported_media_type')
  })

  it('A slow file delays only its sender’s other files', { tags: 'long' }, async () => {
    const decoders = open({ processes: 2, cpuMs: 600_000, deadlineMs: 600_000 })
    const dear = { decoder: 'unchecked', bytes: manyScans(6_300, 2_600) }
    const done: string[] = []
    const hostile = [1, 2, 3].map(() =>
      decoders.decode('mallory', dear).then(
        () => done.push('mallory'),
        () => done.push('mallory'),
      ),
    )
    await developPhoto({ decoders }, 'ana', await jpeg()).then(() => done.push('ana'))
    expect(done).toEqual(['ana'])
    await decoders.close()
    await Promise.all(hostile)
  })
})
