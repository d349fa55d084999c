import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Attachment } from '@duet/contract/conversations.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { firstQuick } from '../../../../tools/tier.ts'
import { hours, minutes } from '../../platform/clock.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { addPhoto, addVoice, attachmentForm, jpeg, kept, noted, recorded, upload } from '../../test/attachments.ts'
import { withBadRow } from '../../test/bad-row.ts'
import { type Person, person } from '../../test/people.ts'
import { photoForm, uploadPhotos } from '../../test/photos.ts'
import { connect } from '../../test/sockets.ts'
import { attachmentsOf, sweepAttachments } from './attachments.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const at = { latitude: 52.52, longitude: 13.405 }
const pair = (where = app) => Promise.all([person(where, { at }), person(where, { at })])

async function get(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(app.url + url, { headers })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

async function match(a: Person, b: Person) {
  for (const [from, { id: userId }] of [
    [a, b],
    [b, a],
  ] as const)
    await from.call('PUT /api/decisions/:userId', { params: { userId }, body: { decision: 'like' } })
}

async function carry(from: Person, to: Person, { id: attachmentId }: Attachment, where = app): Promise<Attachment> {
  const [sender, receiver] = [await connect(where, from), await connect(where, to)]
  const ids = { id: randomUUID(), senderId: from.id, receiverId: to.id }
  const ack = await sender.ask('send_message', { ...ids, message: '', attachmentId })
  expect(ack).toMatchObject({ ok: true, message: { attachment: { id: attachmentId } } })
  const { attachment } = await receiver.next('private message', ({ id }) => id === ids.id)
  return attachment as Attachment
}

const shared = (name: string) => readFile(new URL(`../../../../e2e/pictures/${name}`, import.meta.url))

test('an animated PNG is stored as its first frame', async () => {
  const [ana, ben] = await pair()
  const { status, body } = await upload(ana, ben, attachmentForm(await shared('apng.png')))
  expect([status, body]).toMatchObject([201, { kind: 'photo', width: 600, height: 800 }])
})

test.each(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'])(
  'an upload that the disk refuses with %s gets a 503, so that the client can retry',
  async (code) => {
    const [ana, ben] = await pair()
    const { storage } = app.platform
    const { put } = storage
    storage.put = () => Promise.reject(Object.assign(new Error(`${code}: write`), { code, syscall: 'write' }))
    try {
      const photo = attachmentForm(await jpeg())
      const voice = attachmentForm(await recorded('recorded.webm'), noted)
      for (const form of [photo, voice]) {
        expect(await upload(ana, ben, form)).toMatchObject({ status: 503, body: { code: 'unavailable' } })
      }
      expect(await uploadPhotos(ana, photoForm(['file', await jpeg()]))).toMatchObject({ status: 503 })
    } finally {
      storage.put = put
    }
  },
)

describe('photos in messages', () => {
  test('a photo is stored in three WebP sizes, without any metadata of the original', async () => {
    const [ana, ben] = await pair()
    const original = await sharp(await jpeg(2000, 1000))
      .jpeg()
      .withExif({ IFD0: { Copyright: 'CANARY' } })
      .toBuffer()
    const { status, body } = await upload(
      ana,
      ben,
      attachmentForm(Buffer.concat([original, Buffer.from('CANARY<script>')])),
    )
    expect([status, body]).toMatchObject([201, { kind: 'photo', width: 1080, height: 540, veiled: false }])
    for (const [suffix, width] of Object.entries({ '': 1080, '&w=640': 640, '&w=320': 320 })) {
      const { headers, bytes } = await get(body.url + suffix)
      expect(headers.get('content-type')).toBe('image/webp')
      expect((await sharp(bytes).metadata()).width).toBe(width)
      expect(bytes.includes('CANARY')).toBe(false)
    }
  })

  test('a photo may be as small as a sticker', async () => {
    const [ana, ben] = await pair()
    expect((await upload(ana, ben, attachmentForm(await jpeg(64, 48)))).body).toMatchObject({ width: 64, height: 48 })
  })

  test("a photo is veiled for a receiver who isn't matched with the sender, and not for a matched one", {
    tags: 'long',
  }, async () => {
    const [ana, ben] = await pair()
    expect(await carry(ana, ben, await addPhoto(ana, ben))).toMatchObject({ kind: 'photo', veiled: true })
    await match(ana, ben)
    const photo = await addPhoto(ana, ben)
    expect(await carry(ana, ben, photo)).toMatchObject({ veiled: false })
    const seen = await attachmentsOf(app.platform, ana.id, [photo.id])
    expect(seen.get(photo.id)).toMatchObject({ veiled: false, url: expect.stringContaining(`viewer=${ana.id}`) })
  })
})

describe('voice messages', () => {
  const recordings = [
    ['recorded.webm', 'audio/webm'],
    ['recorded.ogg', 'audio/ogg'],
    ['recorded.mp4', 'audio/mp4'],
  ] as const
  for (const { tags, cases } of firstQuick(1, recordings))
    test.each(cases)('%s is stored as %s with its real duration', { tags }, async (name, type) => {
      const [ana, ben] = await pair()
      const { status, body } = await upload(
        ana,
        ben,
        attachmentForm(await recorded(name), { ...noted, durationMs: '119000' }),
      )
      expect(status).toBe(201)
      const note = body as Attachment & { kind: 'voice' }
      expect(note).toMatchObject({ kind: 'voice', waveform: [0, 50, 100] })
      expect(Math.abs(note.durationMs - 1500)).toBeLessThan(100)
      const { headers, bytes } = await get(note.url)
      expect(bytes).toHaveLength((await recorded(name)).length)
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': type,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'private, max-age=300',
        'accept-ranges': 'bytes',
      })
    })

  const ranges: [range: string, status: number, contentRange: string | null, bytes: [number, number?]][] = [
    ['bytes=0-1', 206, 'bytes 0-1/', [0, 2]],
    ['bytes=9-2', 416, 'bytes */', [0, 0]],
    ['bytes=100-', 206, 'bytes 100-', [100]],
    ['bytes=-10', 206, 'bytes ', [-10]],
    ['bytes=0-1,5-6', 200, null, [0]],
    ['lines=0-1', 200, null, [0]],
    ['bytes=9999999-', 416, 'bytes */', [0, 0]],
  ]
  for (const { tags, cases } of firstQuick(2, ranges))
    test.each(cases)(
      'a request for %s of a voice message gets status %i',
      { tags },
      async (range, status, contentRange, [from, to]) => {
        const [ana, ben] = await pair()
        const { url } = await addVoice(ana, ben)
        const whole = await get(url)
        const answer = await get(url, { range })
        expect(answer.status).toBe(status)
        if (contentRange) expect(answer.headers.get('content-range')).toContain(contentRange)
        expect(answer.bytes).toEqual(whole.bytes.subarray(from, to))
      },
    )
})

describe('permission to upload', () => {
  test('nobody can upload for unknown people, themselves, or across a block in either direction', async () => {
    const [ana, ben] = await pair()
    const [cleo, dan] = await pair()
    await ben.call('PUT /api/blocks/:userId', { params: { userId: ana.id } })
    await cleo.call('PUT /api/blocks/:userId', { params: { userId: dan.id } })
    const before = await kept(app)
    const refused: [Person, { id: string }][] = [
      [ana, { id: randomUUID() }],
      [ana, { id: 'no-one' }],
      [ana, ana],
      [ana, ben],
      [cleo, dan],
    ]
    for (const [from, to] of refused) {
      expect((await upload(from, to, attachmentForm(await jpeg()))).body).toMatchObject({
        status: 404,
        code: 'not_found',
      })
    }
    expect(await kept(app)).toEqual(before)
  })

  test('only matched people can upload under the policy "matches"', { tags: 'long' }, async () => {
    const strict = await startTestApp({ CHAT_POLICY: 'matches' })
    try {
      const [ana, ben] = await pair(strict)
      expect((await upload(ana, ben, attachmentForm(await jpeg()))).status).toBe(403)
      await match(ana, ben)
      expect((await upload(ana, ben, attachmentForm(await jpeg()))).status).toBe(201)
    } finally {
      await strict.close()
    }
  })

  test('a person can upload thirty times in ten minutes, and thirty refused uploads more', {
    tags: 'long',
  }, async () => {
    const strict = await startTestApp({ RATE_LIMIT_SCALE: '1' })
    try {
      const [ana, ben] = await pair(strict)
      const codes: number[] = []
      for (let n = 0; n < 61; n++)
        codes.push((await upload(ana, ben, attachmentForm(Buffer.from('no picture')))).status)
      expect(codes).toEqual([...Array(60).fill(415), 429])
    } finally {
      await strict.close()
    }
  })
})

describe('access to attachments', () => {
  test('the owner sees an attachment before it is sent, and both people afterwards, each with their own URL', async () => {
    const [ana, ben] = await pair()
    const note = await addVoice(ana, ben)
    expect((await get(note.url)).status).toBe(200)
    // Ben's URL doesn't work until a message with the attachment is sent.
    const early = (await attachmentsOf(app.platform, ben.id, [note.id])).get(note.id)?.url ?? ''
    expect((await get(early)).status).toBe(404)
    const { url } = await carry(ana, ben, note)
    expect((await get(url)).status).toBe(200)
    expect((await get(note.url)).status).toBe(200)
    expect((await get(url.replace(ben.id, ana.id))).status).toBe(403)
    expect((await get(url.replace(/viewer=[^&]+/, ''))).status).toBe(403)
    expect((await get(url.replace(/expires=\d+/, 'expires=99999999999'))).status).toBe(403)
  })

  test('nobody else sees an attachment, even with a URL of their own', { tags: 'long' }, async () => {
    const [ana, ben] = await pair()
    const [cleo] = await pair()
    const note = await addVoice(ana, ben)
    await carry(ana, ben, note)
    const { url } = (await attachmentsOf(app.platform, cleo.id, [note.id])).get(note.id) as Attachment
    expect((await get(url)).status).toBe(404)
  })

  test('an attachment URL expires after an hour', { tags: 'long' }, async () => {
    const [ana, ben] = await pair()
    const { url } = await addPhoto(ana, ben)
    app.clock.advance(minutes(54))
    expect((await get(url)).status).toBe(200)
    app.clock.advance(minutes(6))
    expect((await get(url)).status).toBe(403)
  })

  test('neither person sees an attachment after a block', async () => {
    const [ana, ben] = await pair()
    const note = await addVoice(ana, ben)
    const { url } = await carry(ana, ben, note)
    await ben.call('PUT /api/blocks/:userId', { params: { userId: ana.id } })
    expect([(await get(url)).status, (await get(note.url)).status]).toEqual([404, 404])
  })

  test('neither person sees an attachment after their match has ended', { tags: 'long' }, async () => {
    const [ana, ben] = await pair()
    await match(ana, ben)
    const note = await addVoice(ana, ben)
    const { url } = await carry(ana, ben, note)
    await ben.call('DELETE /api/matches/:userId', { params: { userId: ana.id } })
    expect([(await get(url)).status, (await get(note.url)).status]).toEqual([404, 404])
  })

  test('nobody sees the attachment of a deleted message', { tags: 'long' }, async () => {
    const [ana, ben] = await pair()
    const photo = await addPhoto(ana, ben)
    const { url } = await carry(ana, ben, photo)
    const params = { userId: ben.id, seq: 1 }
    expect((await ana.call('DELETE /api/conversations/:userId/messages/:seq', { params })).status).toBe(200)
    expect([(await get(url)).status, (await get(photo.url)).status]).toEqual([404, 404])
  })

  test.each(['../../secret-key', 'x.webp', `${'a'.repeat(22)}.svg`, `${'a'.repeat(22)}.webm`])(
    'no file name %s gives access to a file',
    async (name) => {
      const [status] = [
        (await get(`/media/attachments/${encodeURIComponent(name)}?viewer=x&expires=1&signature=x`)).status,
      ]
      expect([403, 404]).toContain(status)
    },
  )
})

describe('sweeping attachments', () => {
  test("an attachment that can't be removed doesn't hold up the others", { tags: 'long' }, async () => {
    const own = await startTestApp()
    try {
      const [ana, ben] = await pair(own)
      const { id: bad } = await addVoice(ana, ben)
      await addVoice(ana, ben)
      own.clock.advance(hours(25))
      const row = { table: 'attachments', column: 'id', value: bad }
      await withBadRow(own, row, () => sweepAttachments(own.platform))
      expect(await kept(own)).toEqual({ files: 1, rows: 1 })
      await sweepAttachments(own.platform)
      expect(await kept(own)).toEqual({ files: 0, rows: 0 })
    } finally {
      await own.close()
    }
  })

  test("the sweep removes attachments that weren't sent within a day, and nothing else", { tags: 'long' }, async () => {
    const own = await startTestApp()
    try {
      const [ana, ben] = await pair(own)
      await carry(ana, ben, await addPhoto(ana, ben), own)
      await addPhoto(ana, ben)
      await addVoice(ana, ben)
      own.clock.advance(hours(23))
      await addVoice(ana, ben)
      await sweepAttachments(own.platform)
      expect(await kept(own)).toEqual({ files: 8, rows: 4 })
      own.clock.advance(hours(1) + minutes(1))
      await sweepAttachments(own.platform)
      // The sent photo in three sizes, and the voice message uploaded an hour ago.
      expect(await kept(own)).toEqual({ files: 4, rows: 2 })
    } finally {
      await own.close()
    }
  })
})
