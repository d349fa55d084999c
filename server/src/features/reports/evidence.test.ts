import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { addPhoto, addVoice, attachmentForm, jpeg } from '../../test/attachments.ts'
import { type Person, person } from '../../test/people.ts'
import { pair } from '../../test/talk.ts'
import { kept, message, profile, receiptOf, say } from './acts.test-reports.ts'

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await startTestApp()
  admin = await person(app)
  await app.platform.grantSuperAdmin(admin.email)
})
afterAll(() => app.close())

const erase = (from: Person, to: Person, seq: number) =>
  from.call('DELETE /api/conversations/:userId/messages/:seq', { params: { userId: to.id, seq } })
const fetched = async (url: string | null) => {
  const response = await fetch(app.url + url)
  return { status: response.status, type: response.headers.get('content-type'), size: (await response.blob()).size }
}

describe('evidence', () => {
  it('evidence stays when the sender edits or deletes messages, or deletes their account', async () => {
    const [ana, ben, , socket] = await pair(app)
    const first = await say(ben, ana, socket, 'Send money now')
    const second = await say(ben, ana, socket, 'Or else')
    const receipt = await receiptOf(ana, ben.id, message(second.seq), { reason: 'threats', details: ' Twice today. ' })
    const params = { userId: ana.id, seq: first.seq }
    const body = { message: 'Good morning' }
    expect((await ben.call('PATCH /api/conversations/:userId/messages/:seq', { params, body })).status).toBe(200)
    expect((await erase(ben, ana, second.seq)).status).toBe(200)
    const report = await kept(admin, receipt)
    expect(report).toMatchObject({ reason: 'threats', severity: 'urgent', details: 'Twice today.' })
    expect(report.evidence.messages).toMatchObject([
      { seq: first.seq, by: 'reported', text: 'Send money now', editedAt: null },
      { seq: second.seq, by: 'reported', text: 'Or else', deletedAt: null },
    ])
    await app.platform.db.deleteFrom('accounts').where('id', '=', ben.id).execute()
    expect(await kept(admin, receipt)).toEqual(report)
  })

  it('evidence of a message includes ten messages before and after it', async () => {
    const [ana, ben, anaSocket, benSocket] = await pair(app)
    for (let count = 1; count <= 24; count++) {
      if (count % 2) await say(ana, ben, anaSocket, `a${count}`)
      else await say(ben, ana, benSocket, `b${count}`)
    }
    const { messages } = (await kept(admin, await receiptOf(ana, ben.id, message(12)))).evidence
    expect(messages.map(({ seq }) => seq)).toEqual(Array.from({ length: 21 }, (_, place) => place + 2))
    expect(messages[0]).toMatchObject({ by: 'reported', text: 'b2' })
    expect(messages[1]).toMatchObject({ by: 'reporter', text: 'a3' })
  })

  it('evidence of a profile is what the reporter saw, whatever changes later', { tags: 'long' }, async () => {
    const ana = await person(app)
    const ben = await person(app, { name: 'Ben', bio: 'Invest with me' })
    const form = attachmentForm(await jpeg())
    const { body } = await ben.call('PATCH /api/user/:userId/image', { params: { userId: ben.id }, form })
    const receipt = await receiptOf(ana, ben.id, profile, { reason: 'scam' })
    await ben.call('PATCH /api/user/updateUser', { body: { name: 'Saint Ben', bio: 'I like walks' } })
    await ben.call('PATCH /api/user/deleteImage', { body: { imageFileName: body.images[0] as string } })
    const { evidence, reported } = await kept(admin, receipt)
    expect(reported).toEqual({ id: ben.id, name: 'Ben' })
    expect(evidence.profile).toMatchObject({ name: 'Ben', bio: 'Invest with me' })
    expect(Object.keys(evidence.profile ?? {})).not.toContain('distanceKm')
    expect(evidence.photos).toHaveLength(1)
    expect(evidence.photos[0]?.fileName).toMatch(/^[0-9a-f]{64}\.webp$/)
    expect(await fetched(evidence.photos[0]?.url ?? '')).toMatchObject({ status: 200, type: 'image/webp' })
  })

  it('evidence of one photo includes no other photo', { tags: 'long' }, async () => {
    const [ana, ben] = [await person(app), await person(app)]
    for (const width of [600, 601]) {
      const form = attachmentForm(await jpeg(width))
      await ben.call('PATCH /api/user/:userId/image', { params: { userId: ben.id }, form })
    }
    const [, second] = (await ana.call('GET /api/user/:id', { params: { id: ben.id } })).body.photos
    const { evidence } = await kept(
      admin,
      await receiptOf(ana, ben.id, { kind: 'photo', fileName: second?.fileName ?? '' }),
    )
    expect(evidence.photos.map(({ width }) => width)).toEqual([601])
  })

  it('evidence includes copies of photos and voice messages that are deleted later', { tags: 'long' }, async () => {
    const [ana, ben, , socket] = await pair(app)
    const photo = await say(ben, ana, socket, '', { attachmentId: (await addPhoto(ben, ana)).id })
    const voice = await say(ben, ana, socket, '', { attachmentId: (await addVoice(ben, ana)).id })
    const receipt = await receiptOf(ana, ben.id, message(photo.seq))
    for (const { seq } of [photo, voice]) await erase(ben, ana, seq)
    expect((await fetched(photo.attachment?.url ?? '')).status).toBe(404)
    const [picture, sound] = (await kept(admin, receipt)).evidence.messages.map(({ attachment }) => attachment)
    expect(picture).toMatchObject({ kind: 'photo', width: 600, height: 800 })
    expect(sound).toMatchObject({ kind: 'voice', waveform: [0, 50, 100] })
    expect(await fetched(picture?.url ?? '')).toMatchObject({ status: 200, type: 'image/webp' })
    const heard = await fetched(sound?.url ?? '')
    expect(heard).toMatchObject({ status: 200, type: 'audio/webm' })
    expect(heard.size).toBeGreaterThan(1_000)
  })

  it('only administrators can see evidence, file by file', async () => {
    const [ana, ben, , socket] = await pair(app)
    const { seq } = await say(ben, ana, socket, '', { attachmentId: (await addPhoto(ben, ana)).id })
    const receipt = await receiptOf(ana, ben.id, message(seq))
    const url = (await kept(admin, receipt)).evidence.messages[0]?.attachment?.url ?? ''
    expect((await fetched(url.replace(admin.id, ana.id))).status).toBe(403)
    expect((await fetched(url.replace(/[0-9a-f]{4}\.webp/, '0000.webp'))).status).toBe(403)
    for (const who of [ana, ben]) expect((await who.call('GET /api/admin/reports')).status).toBe(404)
    app.clock.advance(2 * 3_600_000)
    expect((await fetched(url)).status).toBe(403)
    app.clock.advance(-2 * 3_600_000)
  })
})
