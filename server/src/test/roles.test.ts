import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestNodes, type TestNodes } from './nodes.ts'
import { caller, person } from './people.ts'
import { hasRedis } from './redis.ts'
import { connect } from './sockets.ts'

describe.skipIf(!hasRedis)('a web process and a worker', () => {
  let nodes: TestNodes
  beforeAll(async () => {
    // The test opens the connections itself, but a role without both variables would be refused.
    const shared = { DATABASE_URL: 'postgres:///opened-by-the-test', REDIS_URL: 'redis://127.0.0.1:1' }
    const backup = { BACKUP_TO: tmpdir(), BACKUP_PASSPHRASE: 'open sesame twice' }
    const role = (name: string) => ({ ROLE: name, DATABASE_URL: shared.DATABASE_URL, ...backup })
    nodes = await startTestNodes(role('worker'), role('web'))
  })
  afterAll(() => nodes?.close())

  it('A web process and a worker share one Duet: actions at one create jobs for the other.', async () => {
    const { here: web } = nodes
    const at = { latitude: 41.39, longitude: 2.17 }
    const ana = await person(web, { name: 'Ana', at })
    const device = await connect(web, ana)
    await person(web, { name: 'Sofía', gender: 'man', at })
    const { title } = await device.next('notification', ({ link }) => link?.startsWith('/profile/') ?? false)
    expect(title).toBe('Sofía is new nearby')
  })

  it('A worker answers only supervisors and accepts no connections.', async () => {
    const { here: web, there: worker } = nodes
    const ana = await person(web)
    const statusOf = async (path: string) => (await caller(worker.url, ana.token).send('GET', path)).status
    expect(await Promise.all(['/healthz', '/readyz', '/api/user/myDetails', '/home'].map(statusOf))).toEqual([
      200, 200, 404, 404,
    ])
    await expect(connect(worker, ana)).rejects.toThrow()
    expect(worker.measured.jobs.isRunning()).toBe(true)
  })

  it('A web process runs no jobs and doesn’t check the backup location.', async () => {
    const { here: web, there: worker } = nodes
    expect(web.measured.jobs.isRunning()).toBe(false)
    await person(web)
    expect(web.measured.isBackupPlaceWritable).toBeUndefined()
    expect(await worker.measured.isBackupPlaceWritable?.()).toBe(true)
  })
})
