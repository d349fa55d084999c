import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { minutes } from '../../platform/clock.ts'
import { sign } from '../../platform/security/signed-urls.ts'
import type { TestApp } from '../app.ts'
import { addPhoto } from '../attachments.ts'
import type { Person } from '../people.ts'
import { standstillMs } from '../standstill.ts'
import { type Cast, type Name, names, type Stage, startWithCast } from './authorization/cast.ts'
import { type Medium, media, mediaTable } from './authorization/media.table.ts'
import type { Rows } from './rows.ts'
import { openWire } from './wire.ts'

let app: TestApp
let rows: Rows
let cast: Cast
let close: Stage['close']
const files = {} as Record<Medium, string>
beforeAll(async () => {
  ;({ app, rows, cast, close } = await startWithCast())
  await collect()
})
afterAll(() => close())

const who = (name: Name): Person => cast.people[name].who
const nameOf = (url: string) => /\/([^/?]+)\?/.exec(url)?.[1] ?? ''

async function collect(): Promise<void> {
  const [member, other] = [who('member'), who('other')]
  files["other's photo"] = cast.people.other.photo
  files["hidden's photo"] = cast.people.hidden.photo
  files["blocking's photo"] = cast.people.blocking.photo
  files["other's rejected photo"] = await rejected(other)
  files['an attachment that no message carries'] = nameOf((await addPhoto(member, other)).url)
  files['an attachment of a message to other'] = await carried(member, other)
  files['evidence of a report'] = await reported(other, member)
  files['the export of member'] = await exported(member)
}

async function rejected(owner: Person): Promise<string> {
  const form = new FormData()
  form.append('file', cast.picture, 'photo.jpg')
  const { body } = await owner.call('PATCH /api/user/:userId/image', { params: { userId: owner.id }, form })
  const fileName = body.images.at(-1) ?? ''
  await rows.query("update photos set state = 'rejected', reviewed_at = now() where file_name = $1", [fileName])
  return fileName
}

async function carried(from: Person, to: Person): Promise<string> {
  const photo = await addPhoto(from, to)
  const wire = await openWire(app.url, from.token)
  const message = { id: randomUUID(), message: '', senderId: from.id, receiverId: to.id, attachmentId: photo.id }
  expect(await wire.ask('send_message', message)).toMatchObject({ ok: true })
  wire.close()
  return nameOf(photo.url)
}

/** The file of a reported photo message. */
async function reported(reporter: Person, author: Person): Promise<string> {
  const { body: history } = await reporter.call('GET /api/conversations/:userId/messages', {
    params: { userId: author.id },
  })
  const seq = history.messages.at(-1)?.seq ?? 0
  const subject = { kind: 'message' as const, seq }
  await reporter.call('POST /api/reports', { body: { userId: author.id, subject, reason: 'harassment' } })
  const { body } = await who('admin').call('GET /api/admin/reports')
  const evidence = body.reports.flatMap(({ evidence: { messages } }) => messages)
  return nameOf(evidence.find(({ attachment }) => attachment)?.attachment?.url ?? '')
}

async function exported(owner: Person): Promise<string> {
  await owner.call('POST /api/export', { body: { language: 'en' } })
  for (const until = Date.now() + standstillMs; Date.now() < until; ) {
    const { body } = await owner.call('GET /api/export')
    if (body.url) return nameOf(body.url)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('no export was made')
}

const purposes: Record<string, string> = {
  '/media/': 'photo-url',
  '/media/attachments/': 'attachment-url',
  '/media/evidence/': 'evidence-url',
  '/media/exports/': 'export-url',
}

function addressOf(medium: Medium, viewerId: string, fileName = files[medium]): string {
  const folder = media[medium]
  if (folder === '/media/exports/') {
    const { session = '' } = Object.values(cast.people).find(({ who: { id } }) => id === viewerId) ?? {}
    return `${folder}${fileName}?session=${session}&${sign(app.platform, 'export-url', `${fileName}/${session}`, viewerId)}`
  }
  return `${folder}${fileName}?${sign(app.platform, purposes[folder] ?? '', fileName, viewerId)}`
}

const statusOf = async (address: string) => (await fetch(app.url + address)).status
const all = Object.keys(media) as Medium[]

describe('a file URL', () => {
  it.each(all)('A file URL works for the person it was signed for, while they may see it: %s', async (medium) => {
    const told: Record<string, number> = {}
    for (const name of names) told[name] = await statusOf(addressOf(medium, who(name).id))
    expect(told).toEqual(mediaTable[medium])
  })

  it.each(all)('A modified file URL doesn’t work: %s', async (medium) => {
    const reader = names.find((name) => mediaTable[medium][name] === 200) as Name
    const address = addressOf(medium, who(reader).id)
    expect(await statusOf(address)).toBe(200)
    const [path = '', query = ''] = address.split('?')
    const another = /\.webp$/.test(path)
      ? path.replace(/[^/]{4}\.webp$/, 'AAAA.webp')
      : path.replace(/[^/]{4}\.zip$/, 'AAAA.zip')
    const altered = [
      path,
      `${path}?${query.replace(/signature=[^&]*/, '')}`,
      `${path}?${query.replace(/signature=.{4}/, 'signature=AAAA')}`,
      `${path}?${query.replace(/expires=\d+/, 'expires=99999999999')}`,
      `${path}?${query.replace(/viewer=[^&]*/, `viewer=${who('stranger').id}`)}`,
      `${path}?${query}&viewer=${who('stranger').id}`,
      `${another}?${query}`,
      `${path.replace(/\/[^/]*$/, '/..%2f..%2fsecret-key')}?${query}`,
    ]
    for (const one of altered) expect([one, [400, 403, 404].includes(await statusOf(one))]).toEqual([one, true])
    const elsewhere = Object.keys(purposes).filter(
      (folder) => !path.startsWith(folder) || folder.length > path.lastIndexOf('/') + 1,
    )
    for (const folder of elsewhere) expect([403, 404]).toContain(await statusOf(`${folder}${files[medium]}?${query}`))
  })

  it('A file URL can’t be loaded by other sites’ pages.', async () => {
    const statuses = []
    for (const site of ['cross-site', 'same-site', 'same-origin', 'none'])
      statuses.push(
        (await fetch(app.url + addressOf("other's photo", who('member').id), { headers: { 'sec-fetch-site': site } }))
          .status,
      )
    expect(statuses).toEqual([403, 200, 200, 200])
  })

  it.each(all)('A file URL works for an hour: %s', async (medium) => {
    const reader = names.find((name) => mediaTable[medium][name] === 200) as Name
    const address = addressOf(medium, who(reader).id)
    app.clock.advance(minutes(60))
    expect(await statusOf(address)).toBe(403)
    app.clock.advance(-minutes(60))
    expect(await statusOf(address)).toBe(200)
  })

  it('A file URL stops working when the photo is deleted, after a block or a ban, and with the owner’s account.', async () => {
    const [member, other] = [who('member'), who('other')]
    const address = addressOf("other's photo", member.id)
    const carrier = addressOf('an attachment of a message to other', member.id)
    await rows.keep()
    const ends: Record<string, () => Promise<unknown>> = {
      block: () => other.call('PUT /api/blocks/:userId', { params: { userId: member.id } }),
      'ban of the viewer': () => rows.query("update accounts set standing = 'banned' where id = $1", [member.id]),
      'ban of the owner': () => rows.query("update accounts set standing = 'banned' where id = $1", [other.id]),
      'erasure of the owner': () => rows.query('update accounts set erase_at = now() where id = $1', [other.id]),
      'end of the owner': () => rows.query('delete from accounts where id = $1', [other.id]),
      deletion: () => other.call('PATCH /api/user/deleteImage', { body: { imageFileName: cast.people.other.photo } }),
    }
    const told: Record<string, number[]> = {}
    for (const [what, end] of Object.entries(ends)) {
      expect([what, await statusOf(address), await statusOf(carrier)]).toEqual([what, 200, 200])
      await end()
      told[what] = [await statusOf(address), await statusOf(carrier)]
      await rows.restore()
    }
    expect(told).toEqual({
      block: [404, 404],
      'ban of the viewer': [404, 404],
      'ban of the owner': [404, 404],
      'erasure of the owner': [404, 404],
      'end of the owner': [404, 404],
      deletion: [404, 200],
    })
  })
})
