import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { firstQuick } from '../../../../tools/tier.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { attachmentForm, jpeg, kept, noted, recorded, upload } from '../../test/attachments.ts'
import { type Person, people } from '../../test/people.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const pair = async () => (await people(app, 2)) as [Person, Person]

describe('rejected uploads leave nothing stored', () => {
  const webm = () => recorded('recorded.webm')
  /** A cluster of unknown length with sound two minutes after the end of the recording. */
  const later = Buffer.from('1f43b67501ffffffffffffffe7830200ffa38581000080ff', 'hex')
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><script>1</script></svg>')
  const cut = async (name: string) => {
    const bytes = await recorded(name)
    return bytes.subarray(0, Math.floor(bytes.length * 0.7))
  }
  const forms: Record<string, () => Promise<[form: FormData, status: number]>> = {
    'an SVG': async () => [attachmentForm(svg), 415],
    'HTML that begins as a JPEG': async () => [attachmentForm(Buffer.from('ffd8ffe0', 'hex').fill('<html>', 4)), 415],
    'a cut-off JPEG': async () => [
      attachmentForm(
        (
          await sharp({
            create: {
              width: 900,
              height: 900,
              channels: 3,
              background: '#a63',
              noise: { type: 'gaussian', sigma: 30 },
            },
          })
            .jpeg()
            .toBuffer()
        ).subarray(0, 9_000),
      ),
      415,
    ],
    'a picture of one pixel': async () => [attachmentForm(await jpeg(1, 1)), 400],
    'a picture that is too large': async () => [attachmentForm(Buffer.alloc(8 * 1024 * 1024 + 1, 1)), 413],
    'an empty file': async () => [attachmentForm(Buffer.alloc(0)), 415],
    'an empty voice note': async () => [attachmentForm(Buffer.alloc(0), noted), 415],
    'a voice note without what is said of it': async () => [attachmentForm(await webm()), 415],
    'a photo that says it is a voice note': async () => [attachmentForm(await jpeg(), noted), 415],
    'a cut-off WebM': async () => [attachmentForm(await cut('recorded.webm'), noted), 415],
    'a cut-off Ogg': async () => [attachmentForm(await cut('recorded.ogg'), noted), 415],
    'a cut-off MP4': async () => [attachmentForm(await cut('recorded.mp4'), noted), 415],
    'a WebM header with nothing behind it': async () => [attachmentForm((await webm()).subarray(0, 60), noted), 415],
    Vorbis: async () => [attachmentForm(await recorded('vorbis.ogg'), noted), 415],
    'a film': async () => [attachmentForm(await recorded('film.webm'), noted), 415],
    'a voice note of more than two minutes': async () => [
      attachmentForm(Buffer.concat([await webm(), later]), noted),
      413,
    ],
    'a voice note of more than 2 MiB': async () => [
      attachmentForm(Buffer.concat([await webm(), Buffer.alloc(2 * 1024 * 1024)]), noted),
      413,
    ],
    'a length of zero': async () => [attachmentForm(await webm(), { ...noted, durationMs: '0' }), 400],
    'a length of more than two minutes': async () => [
      attachmentForm(await webm(), { ...noted, durationMs: '120001' }),
      400,
    ],
    'a length that is no number': async () => [attachmentForm(await webm(), { ...noted, durationMs: 'long' }), 400],
    'no length': async () => [attachmentForm(await webm(), { waveform: noted.waveform }), 400],
    'no loudness': async () => [attachmentForm(await webm(), { durationMs: '1500' }), 400],
    'an empty loudness': async () => [attachmentForm(await webm(), { ...noted, waveform: '[]' }), 400],
    'loudness of 65 bars': async () => [
      attachmentForm(await webm(), { ...noted, waveform: JSON.stringify(Array(65).fill(1)) }),
      400,
    ],
    'loudness over 100': async () => [attachmentForm(await webm(), { ...noted, waveform: '[101]' }), 400],
    'loudness that is no list': async () => [attachmentForm(await webm(), { ...noted, waveform: '{"0":1}' }), 400],
    'loudness that is not JSON': async () => [attachmentForm(await webm(), { ...noted, waveform: '[1' }), 400],
    'an unknown field': async () => [attachmentForm(await webm(), { ...noted, kind: 'voice' }), 400],
    'fields behind the file': async () => {
      const data = attachmentForm(await webm())
      for (const [name, value] of Object.entries(noted)) data.append(name, value)
      return [data, 400]
    },
    'a field twice': async () => {
      const data = new FormData()
      data.append('durationMs', '1500')
      for (const [name, value] of attachmentForm(await webm(), noted)) data.append(name, value)
      return [data, 400]
    },
    'two files': async () => {
      const data = attachmentForm(await jpeg())
      data.append('file', new Blob([new Uint8Array(await jpeg())]), 'two.jpg')
      return [data, 413]
    },
    'a file of another name': async () => {
      const data = new FormData()
      data.append('photo', new Blob([new Uint8Array(await jpeg())]), 'one.jpg')
      return [data, 400]
    },
    'no file': async () => {
      const data = new FormData()
      data.append('durationMs', '1500')
      return [data, 400]
    },
  }
  const quick = [
    ...['an SVG', 'HTML that begins as a JPEG', 'a cut-off JPEG', 'a picture that is too large', 'a film', 'no file'],
    ...['a voice note without what is said of it', 'a photo that says it is a voice note', 'a cut-off WebM'],
    ...['a voice note of more than two minutes', 'a length of more than two minutes', 'loudness that is not JSON'],
    ...['an unknown field', 'a field twice', 'two files'],
  ]
  for (const { tags, cases } of firstQuick(quick.length, [...new Set([...quick, ...Object.keys(forms)])]))
    test.each(cases)('an upload of %s is rejected and stores nothing', { tags }, async (kind) => {
      const [ana, ben] = await pair()
      const before = await kept(app)
      const [data, expected] = (await forms[kind]?.()) ?? []
      const { status, headers, body } = await upload(ana, ben, data as FormData)
      expect([status, headers.get('content-type')]).toEqual([expected, 'application/problem+json; charset=utf-8'])
      expect(body.code).toBeTruthy()
      expect(await kept(app)).toEqual(before)
    })

  test.each([
    ['JSON', 'application/json', '{}', 415],
    [
      'a body that ends early',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
      400,
    ],
    ['no boundary', 'multipart/form-data', 'x', 400],
  ])('an upload with %s is rejected', async (_, type, body, expected) => {
    const [ana, ben] = await pair()
    const path = `/api/conversations/${ben.id}/attachments`
    expect((await ana.send('POST', path, body, { 'content-type': type })).status).toBe(expected)
  })
})
