import { crc32, deflateSync } from 'node:zlib'
import exifr from 'exifr'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { firstQuick } from '../../../../tools/tier.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, person } from '../../test/people.ts'
import { addOne, fetchFrom, noise, noisyJpeg, photoForm, storedFiles, uploadPhotos } from '../../test/photos.ts'
import { develop } from './develop.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const canary = 'CANARY-52.520008'

const replace = (who: Person, replaces: string, data: FormData) =>
  who.call('PATCH /api/user/:userId/image', { params: { userId: who.id }, query: { replaces }, form: data })

const get = (url: string) => fetchFrom(app, url)

/** A PNG whose header claims far more pixels than it has. */
function pngBomb(side: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length, 0)
    frame.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc((side / 8 + 1) * side))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

describe('uploading', () => {
  test('an uploaded photo becomes three WebP sizes, and is listed with its state', async () => {
    const mina = await person(app)
    const { status, body } = await uploadPhotos(
      mina,
      photoForm(['file', await noise(300, 400).resize(1200, 1600).jpeg().toBuffer()]),
    )
    expect(status).toBe(200)
    const [photo] = body.photos
    expect(photo).toMatchObject({ state: 'pending', visible: true, width: 1080, height: 1440, alt: '' })
    expect(body.images).toEqual([photo?.fileName])
    for (const [suffix, width] of [
      ['', 1080],
      ['&w=640', 640],
      ['&w=320', 320],
    ] as const) {
      const { status: found, headers, bytes } = await get(photo?.url + suffix)
      expect(found).toBe(200)
      expect(headers.get('content-type')).toBe('image/webp')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
      expect(headers.get('cache-control')).toBe('private, max-age=300')
      expect(headers.get('content-disposition')).toContain('inline')
      expect((await sharp(bytes).metadata()).width).toBe(width)
    }
  })

  test("small photos aren't enlarged, and rotated ones become upright", async () => {
    const turned = await noise(400, 300).jpeg().withMetadata({ orientation: 6 }).toBuffer()
    const { width, height } = await develop(turned, { smallest: 200 })
    expect([width, height]).toEqual([300, 400])
  })

  test('several photos keep their order, whatever size and name the client claims', async () => {
    const mina = await person(app)
    const data = photoForm(
      ['file_0', await noisyJpeg(300, 300)],
      ['file_1', await noise(400, 400).png().toBuffer(), '../../x.php'],
    )
    data.append('size_0', '12')
    data.append('name_0', '../../../etc/passwd')
    data.append('name_1', 'x'.repeat(255))
    const { status, body } = await uploadPhotos(mina, data)
    expect(status).toBe(200)
    expect(body.photos.map(({ width }) => width)).toEqual([300, 400])
  })

  test.each([
    ['size', 'huge'],
    ['size', '-1'],
    ['name', 'x'.repeat(256)],
    ['name', 'x'.repeat(2_000)],
    ['userId', 'me'],
  ])('a field %s with value %s is refused', async (field, value) => {
    const data = photoForm(['file', await noisyJpeg()])
    data.append(field, value)
    const { status, body } = await uploadPhotos(await person(app), data)
    expect([status, body.code]).toEqual([400, 'validation_failed'])
  })

  test('when one of several photos is refused, none is kept', async () => {
    const mina = await person(app)
    const before = await storedFiles(app)
    const { status } = await uploadPhotos(
      mina,
      photoForm(['file_0', await noisyJpeg()], ['file_1', Buffer.from('<svg/>')]),
    )
    expect(status).toBe(415)
    expect((await mina.call('GET /api/user/myDetails')).body.images).toEqual([])
    expect(await storedFiles(app)).toBe(before)
  })

  test('a photo can replace another one, with its place and description, even when there is no room for one more', {
    tags: 'long',
  }, async () => {
    const mina = await person(app)
    const six = Array.from({ length: 6 }, () => noise(200, 200).jpeg().toBuffer())
    const files = await Promise.all(six)
    await uploadPhotos(mina, photoForm(...files.map((bytes): [string, Buffer] => ['file', bytes])))
    const { images: before } = (await mina.call('GET /api/user/myDetails')).body
    const second = before[1] as string
    const old = (
      await mina.call('PATCH /api/photos/:fileName', { params: { fileName: second }, body: { alt: 'At sea' } })
    ).body
    const { status, body } = await replace(mina, second, photoForm(['file', await noisyJpeg(300, 400)]))
    expect(status).toBe(200)
    expect(body.photos.map(({ width }) => width)).toEqual([200, 300, 200, 200, 200, 200])
    expect(body.photos[1]).toMatchObject({ alt: 'At sea', state: 'pending' })
    expect(body.images.toSpliced(1, 1)).toEqual(before.toSpliced(1, 1))
    expect((await get(old.photos[1]?.url as string)).status).toBe(404)
  })

  test('people can replace only one of their own photos, with exactly one', { tags: 'long' }, async () => {
    const [mina, jun] = [await person(app), await person(app)]
    const [hers, his] = [await addOne(mina), await addOne(jun)]
    const one = async () => photoForm(['file', await noisyJpeg()])
    for (const wrong of [his.fileName, '../../x', `${'A'.repeat(22)}.webp`])
      expect((await replace(mina, wrong, await one())).status).toBe(404)
    const two = photoForm(['file', await noisyJpeg()], ['file', await noisyJpeg()])
    expect((await replace(mina, hers.fileName, two)).body.code).toBe('validation_failed')
    const before = await storedFiles(app)
    expect((await replace(mina, hers.fileName, photoForm(['file', Buffer.from('<svg/>')]))).status).toBe(415)
    expect((await mina.call('GET /api/user/myDetails')).body.images).toEqual([hers.fileName])
    expect(await storedFiles(app)).toBe(before)
  })

  test("nobody can add to someone else's photos", async () => {
    const [mina, jun] = [await person(app), await person(app)]
    const { status } = await uploadPhotos(mina, photoForm(['file', await noisyJpeg()]), jun.id)
    expect(status).toBe(404)
  })

  test('simultaneous uploads end with at most six photos', { tags: ['long', 'race'] }, async () => {
    const mina = await person(app)
    const bytes = await noisyJpeg(200, 200)
    const answers = await Promise.all(Array.from({ length: 10 }, () => uploadPhotos(mina, photoForm(['file', bytes]))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(6)
    expect(answers.filter(({ body }) => body.code === 'photo_limit_reached')).toHaveLength(4)
    expect((await mina.call('GET /api/user/myDetails')).body.images).toHaveLength(6)
  })

  test("a person's uploads are limited per hour", { tags: 'long' }, async () => {
    const strict = await startTestApp({ RATE_LIMIT_SCALE: '1' })
    try {
      const mina = await person(strict)
      const wrong = photoForm(['file', Buffer.from('no picture')])
      const codes: (number | undefined)[] = []
      for (let i = 0; i < 31; i++) codes.push((await uploadPhotos(mina, wrong)).status)
      expect(codes.slice(0, 30).every((status) => status === 415)).toBe(true)
      expect(codes[30]).toBe(429)
    } finally {
      await strict.close()
    }
  })
})

describe("files that aren't photos", () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><script>1</script></svg>')
  const heic = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic\0\0\0\0mif1heic'), Buffer.alloc(400)])
  const corpus: Record<string, () => Promise<[bytes: Buffer, status: number, name?: string | undefined]>> = {
    'an SVG': async () => [svg, 415, 'x.svg'],
    'an SVG named .jpg': async () => [svg, 415],
    'a GIF': async () => [await noise(300, 300).gif().toBuffer(), 415, 'x.gif'],
    'HEIC bytes': async () => [heic, 415],
    'a PDF': async () => [Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n'), 415],
    'a PDF that begins as a JPEG': async () => [
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from('%PDF-1.7')]),
      415,
    ],
    'a TIFF': async () => [await noise(300, 300).tiff().toBuffer(), 415],
    'an AVIF': async () => [await noise(64, 64).avif({ effort: 0 }).toBuffer(), 415],
    'a truncated JPEG': async () => [(await noisyJpeg()).subarray(0, 20_000), 415],
    'a single pixel': async () => [await noise(1, 1).jpeg().toBuffer(), 400],
    'an empty file': async () => [Buffer.alloc(0), 415],
    'a PNG bomb': async () => [pngBomb(20_000), 413],
    'a file of 8 MiB and a byte': async () => [Buffer.alloc(8 * 1024 * 1024 + 1, 1), 413],
  }
  const quick = [
    'an SVG named .jpg',
    'a PDF that begins as a JPEG',
    'a truncated JPEG',
    'a PNG bomb',
    'a file of 8 MiB and a byte',
  ]
  // This process can create formats that uploads may not have, because the libraries that create them only write.
  for (const { tags, cases } of firstQuick(quick.length, [...new Set([...quick, ...Object.keys(corpus)])]))
    test.each(cases)('%s is refused', { tags }, async (kind) => {
      const make = corpus[kind]
      const [bytes, expected, name] = (await make?.()) ?? []
      const { status } = await uploadPhotos(await person(app), photoForm(['file', bytes as Buffer, name]))
      expect(status).toBe(expected)
    })

  test('seven photos are refused', async () => {
    const bytes = await noisyJpeg(200, 200)
    const files = Array.from({ length: 7 }, (_, i): [string, Buffer] => [`file_${i}`, bytes])
    const mina = await person(app)
    const { status } = await uploadPhotos(mina, photoForm(...files))
    expect([409, 413]).toContain(status)
    expect((await mina.call('GET /api/user/myDetails')).body.images).toEqual([])
  })

  test.each([
    ['no boundary', 'multipart/form-data', 'x', 400],
    ['a boundary that is too long', `multipart/form-data; boundary=${'A'.repeat(3000)}`, '--A', 400],
    [
      'a body that ends early',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
      400,
    ],
    ['an empty body', 'multipart/form-data; boundary=b', '--b--\r\n', 400],
    ['JSON', 'application/json', '{}', 415],
    [
      'a field that would pollute',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\nx\r\n--b--\r\n',
      400,
    ],
  ])('a form with %s is refused', async (_, type, body, expected) => {
    const mina = await person(app)
    const answer = await mina.send('PATCH', `/api/user/${mina.id}/image`, body, { 'content-type': type })
    expect(answer.status).toBe(expected)
  })
})

describe('hidden content of photos', () => {
  test("a photo reveals nothing of the original's camera, place or program", async () => {
    const original = await noise(500, 500)
      .jpeg()
      .withExif({ IFD0: { Copyright: canary }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1' } })
      .withXmp(
        `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://ns.adobe.com/xap/1.0/">${canary}</rdf:RDF></x:xmpmeta>`,
      )
      .toBuffer()
    expect(original.includes(canary)).toBe(true)
    const { variants } = await develop(original, { smallest: 200 })
    for (const { bytes } of variants) {
      for (const trace of ['Exif', 'EXIF', 'http://ns.adobe.com', canary]) expect(bytes.includes(trace)).toBe(false)
      expect(await exifr.parse(await sharp(bytes).jpeg().keepMetadata().toBuffer(), true)).not.toHaveProperty(
        'Copyright',
      )
    }
  })

  test('a photo contains nothing that was hidden behind the original picture', async () => {
    const polyglot = Buffer.concat([await noisyJpeg(), Buffer.from(`<script>${canary}</script>PK\x03\x04`)])
    const { variants } = await develop(polyglot, { smallest: 200 })
    for (const { bytes } of variants) expect(bytes.includes(canary)).toBe(false)
  })

  test('print colours become screen colours', { tags: 'long' }, async () => {
    const { variants } = await develop(await noise(400, 400).toColourspace('cmyk').jpeg().toBuffer(), { smallest: 200 })
    expect((await sharp(variants[0]?.bytes).metadata()).space).toBe('srgb')
  })
})
