import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from '../../../tools/ports.ts'
import { startTestApp, type TestApp } from './app.ts'
import { addVoice } from './attachments.ts'
import { type Person, person } from './people.ts'
import { addOne } from './photos.ts'
import { has, programsPath } from './programs.ts'
import { standstillMs } from './standstill.ts'

const site = new URL('../../../deploy/nginx.conf', import.meta.url)

/** Adapts the operators' nginx file to this app: removes TLS, and lets `stored` change the location of stored files. */
async function siteFor(port: number, app: TestApp, stored: (text: string) => string): Promise<string> {
  const text = stored(await readFile(site, 'utf8'))
    .replace(/server \{\s+listen 80;[^}]*\}/, '')
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
    .replace('listen [::]:443 ssl http2;', '')
    .replace(/\tssl_[^;]*;/g, '')
    .replace('server 127.0.0.1:3000;', `server ${new URL(app.url).host};`)
  return `pid nginx.pid;\nuser root;\ndaemon off;\nevents {}\nhttp {\naccess_log off;\ntypes {}\n${text}\n}\n`
}

async function startNginx(text: string): Promise<{ child: ChildProcess; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'duet-nginx-'))
  await mkdir(join(folder, 'logs'))
  await writeFile(join(folder, 'nginx.conf'), text)
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'errors')]
  return { child: spawn('nginx', args, { env: { PATH: programsPath }, stdio: 'ignore' }), folder }
}

/** Headers that nginx and Duet set differently. */
const own =
  /^(date|server|connection|keep-alive|transfer-encoding|etag|last-modified|content-length|vary|accept-ranges)$/

async function answerOf(url: string, init: RequestInit = {}) {
  const response = await fetch(url, init)
  return {
    status: response.status,
    headers: Object.fromEntries([...response.headers].filter(([name]) => !own.test(name))),
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}

const stores = ['a folder', 'an S3 store'] as const
describe.skipIf(!has('nginx')).each(stores)('files of %s sent by nginx', (kind) => {
  let app: TestApp
  let s3: S3rver | undefined
  let nginx: Awaited<ReturnType<typeof startNginx>>
  let front: string
  let folder: string
  let viewer: Person
  let owner: Person
  let path: string

  async function storeUrl(): Promise<string> {
    s3 = new S3rver({
      ...{ port: 0, address: '127.0.0.1', silent: true, directory: join(folder, 's3') },
      configureBuckets: [{ name: 'photos', configs: [] }],
    })
    const { port } = (await s3.run()) as AddressInfo
    return `s3://photos?endpoint=http://127.0.0.1:${port}&region=eu-west-1&accessKeyId=S3RVER&secretAccessKey=S3RVER`
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'duet-store-'))
    const url = kind === 'a folder' ? '' : await storeUrl()
    app = await startTestApp({ FILES_BY_PROXY: 'on', TRUST_PROXY: '127.0.0.1', STORAGE_URL: url })
    const endpoint = url && new URL(url).searchParams.get('endpoint')
    const stored = (text: string) =>
      endpoint
        ? text
            .replace(/\t\talias [^;]*;/, '')
            .replace(/# (proxy_\w+ )/g, '$1')
            .replaceAll('https://s3.example.org', endpoint)
            .replaceAll('s3.example.org', new URL(endpoint).host)
        : text.replace('/var/lib/duet/media/', `${app.platform.config.dataDir}/media/`)
    const port = await freePort()
    nginx = await startNginx(await siteFor(port, app, stored))
    front = `http://127.0.0.1:${port}`
    await vi.waitFor(async () => expect((await fetch(`${front}/healthz`)).status).toBe(200), { timeout: standstillMs })
    ;[owner, viewer] = [await person(app), await person(app)]
    await addOne(owner)
    const { body } = await viewer.call('GET /api/user/:id', { params: { id: owner.id } })
    path = body.photos[0]?.url ?? ''
  })
  afterAll(async () => {
    const ended = once(nginx.child, 'exit')
    nginx.child.kill('SIGTERM')
    await ended
    await app.close()
    await s3?.close()
    for (const one of [folder, nginx.folder]) await rm(one, { recursive: true, force: true })
  })

  it.each(['a photo', 'a voice note'])(
    'A file sent by nginx is identical to Duet’s own, whole and in part, and its location stays hidden: %s',
    async (what) => {
      const url = front + (what === 'a photo' ? path : (await addVoice(viewer, owner)).url)
      const answers = async (filesByProxy: boolean) => {
        app.platform.config.filesByProxy = filesByProxy
        return [await answerOf(url), await answerOf(url, { headers: { range: 'bytes=2-9' } })] as const
      }
      const [own] = await answers(false)
      expect(own).toMatchObject({ status: 200 })
      expect(own.headers['content-type']).toBe(what === 'a photo' ? 'image/webp' : 'audio/webm')
      expect(await answers(true)).toEqual(await answers(false))
      const [, part] = await answers(true)
      expect(part).toMatchObject({ status: 206, bytes: own.bytes.subarray(2, 10) })
    },
  )

  it('Duet itself sends no file bytes, and nginx doesn’t serve the internal location.', async () => {
    const { headers, bytes } = await answerOf(app.url + path)
    const told = headers['x-accel-redirect']
    expect(bytes).toHaveLength(0)
    expect(told).toMatch(/^\/stored\//)
    expect((await answerOf(front + told)).status).toBe(404)
  })

  it('A blocked person immediately loses access to files sent by nginx.', async () => {
    expect((await answerOf(front + path)).status).toBe(200)
    await owner.call('PUT /api/blocks/:userId', { params: { userId: viewer.id } })
    const answer = await answerOf(front + path)
    expect(answer).toMatchObject({ status: 404, headers: { 'content-type': expect.stringContaining('problem+json') } })
    await owner.call('DELETE /api/blocks/:userId', { params: { userId: viewer.id } })
  })

  it('A missing file is not found.', async () => {
    const { storage } = app.platform
    for await (const { key } of storage.list()) await storage.remove(key)
    const { status, bytes } = await answerOf(front + path)
    expect(status).toBe(404)
    expect(bytes.toString()).not.toMatch(/Bucket|stored/)
  })
})
