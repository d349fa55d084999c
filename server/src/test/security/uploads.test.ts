import { readdir, readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstQuick } from '../../../../tools/tier.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { type Answer, type Person, person } from '../people.ts'
import { standstillMs } from '../standstill.ts'
import { noteFigure } from './figures.ts'
import { bomb, canary, corpus, jpeg } from './uploads/pictures.ts'

let app: TestApp
let ana: Person
let ben: Person
beforeAll(async () => {
  app = await startTestApp({ LOG_LEVEL: 'fatal' })
  ;[ana, ben] = [await person(app), await person(app)]
  // Needs a profile photo, because a selfie is compared with it.
  await doors['a profile']?.send(ana, formOf(await jpeg()))
})
afterAll(() => app.close())

function formOf(bytes: Buffer, name = 'photo.jpg'): FormData {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), name)
  return form
}

interface Door {
  send(who: Person, form: FormData): Promise<Answer<unknown>>
  /** The URL at which the picture can be fetched; undefined if it can't be fetched. */
  addressOf?(body: unknown): string
  clear(who: Person): Promise<unknown>
}

const doors: Record<string, Door> = {
  'a profile': {
    send: (who, form) => who.call('PATCH /api/user/:userId/image', { params: { userId: who.id }, form }),
    addressOf: (body) => (body as { photos: { url: string }[] }).photos.at(-1)?.url ?? '',
    clear: async (who) => {
      const [, ...others] = (await who.call('GET /api/user/myDetails')).body.images
      for (const imageFileName of others) await who.call('PATCH /api/user/deleteImage', { body: { imageFileName } })
    },
  },
  'a conversation': {
    send: (who, form) => who.call('POST /api/conversations/:userId/attachments', { params: { userId: ben.id }, form }),
    addressOf: (body) => (body as { url: string }).url,
    clear: async () => undefined,
  },
  'a verification': {
    send: (who, form) => who.call('PUT /api/verification/selfie', { form }),
    clear: async (who) => {
      await who.call('DELETE /api/verification')
      await who.call('POST /api/verification', { body: {} })
    },
  },
}

async function kept(): Promise<Map<string, Buffer>> {
  const folder = join(app.platform.config.dataDir, 'media')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return new Map(await Promise.all(paths.map(async (path) => [path, await readFile(path)] as const)))
}

const safeName = /\/[A-Za-z0-9_-]{22}(-\d+)?\.(webp|sealed)$/

async function expectDrawnAnew(url: string): Promise<void> {
  const response = await fetch(app.url + url)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp'])
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('x-injected')).toBeNull()
  const { format, pages = 1, width } = await sharp(Buffer.from(await response.arrayBuffer())).metadata()
  expect([format, pages]).toEqual(['webp', 1])
  expect(width).toBeLessThanOrEqual(1_080)
}

const costly = 'a WebP that moves 20,000 times'
const files = Object.entries(corpus)

for (const { tags, cases } of firstQuick(1, Object.entries(doors)))
  describe.each(cases)('as a picture for %s', { tags }, (_place, door) => {
    for (const [what, { make, refused, name }] of files)
      it(`An upload of ${what} is refused or re-encoded as a plain picture.`, {
        tags: what === costly ? ['long'] : [],
      }, async () => {
        await door.clear(ana)
        const before = await kept()
        const { status, body } = await door.send(ana, formOf(await make(), name))
        if (refused !== undefined) {
          expect(status).toBe(refused)
          expect([...(await kept()).keys()]).toEqual([...before.keys()])
          return
        }
        expect([200, 201]).toContain(status)
        const added = [...(await kept())].filter(([path]) => !before.has(path))
        expect(added.length).toBeGreaterThan(0)
        for (const [path, bytes] of added) {
          expect(path).toMatch(safeName)
          expect(bytes.includes(canary)).toBe(false)
        }
        if (door.addressOf) await expectDrawnAnew(door.addressOf(body))
      })

    it.each([
      ['seven files', 7, [409, 413]],
      ['no file', 0, [400]],
    ])('An upload of %s at once is refused.', async (_what, count, statuses) => {
      await door.clear(ana)
      const form = new FormData()
      for (let n = 0; n < count; n++) form.append(`file_${n}`, new Blob([new Uint8Array(await jpeg())]), 'photo.jpg')
      const { status } = await door.send(ana, form)
      expect([...statuses, 400]).toContain(status)
    })
  })

describe('refused forms', () => {
  function sendOver(agent: Agent, method: string, path: string, body?: Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${ana.token}`,
        ...(body && { 'content-type': 'multipart/form-data; boundary=b', 'content-length': body.length }),
      }
      const call = request(app.url + path, { agent, method, headers, timeout: standstillMs }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0))
      })
      call.once('error', reject).once('timeout', () => call.destroy(new Error('The server didn’t respond.')))
      call.end(body)
    })
  }
  const part = (name: string, length: number) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"; filename="a"\r\n\r\n${'a'.repeat(length)}\r\n`

  it.each([
    ['is empty', '--b--\r\n'],
    ['is empty and lacks its last line break', '--b--'],
    ['has a wrong field name before large parts', `${part('wrong', 400_000)}${part('file', 400_000)}--b--\r\n`],
    ['has a file that isn’t a picture before a large part', `${part('file', 10)}${part('file_1', 900_000)}--b--\r\n`],
    ['ends early', part('file', 900_000)],
  ])(
    'A form that is refused because it %s leaves its connection usable.',
    async (_why, form) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      const paths = [
        ['PATCH', `/api/user/${ana.id}/image`],
        ['POST', `/api/conversations/${ben.id}/attachments`],
        ['PUT', '/api/verification/selfie'],
      ] as const
      for (const [method, path] of paths) {
        const status = await sendOver(agent, method, path, Buffer.from(form))
        expect(status).toBeGreaterThanOrEqual(400)
        expect(status).toBeLessThan(500)
        expect(await sendOver(agent, 'GET', '/api/user/myDetails')).toBe(200)
      }
      agent.destroy()
    },
    60_000,
  )
})

describe('decompression bombs', () => {
  it('A hundred decompression bombs at once leave the server responsive, with bounded memory.', {
    tags: 'release',
  }, async () => {
    const before = process.memoryUsage().rss
    const bytes = bomb(6_320)
    let worst = 0
    let done = false
    const watch = async () => {
      while (!done) {
        const since = performance.now()
        expect((await fetch(`${app.url}/healthz`)).status).toBe(200)
        worst = Math.max(worst, performance.now() - since)
        most = Math.max(most, process.memoryUsage().rss)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
    let most = before
    const watching = watch()
    const send = doors['a conversation']?.send as Door['send']
    const answers = await Promise.all(Array.from({ length: 100 }, () => send(ana, formOf(bytes))))
    done = true
    await watching
    expect(answers.filter(({ status }) => status !== 201 && status !== 503)).toEqual([])
    noteFigure('T16.rss_growth_mb', Math.round((most - before) / 1e6), 'while 100 bombs of 40 megapixels came at once')
    noteFigure('T16.healthz_worst_ms', Math.round(worst), 'the slowest /healthz meanwhile')
    expect(most - before).toBeLessThan(700e6)
  })
})
