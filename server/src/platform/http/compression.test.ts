import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, person } from '../../test/people.ts'

let app: TestApp
let ana: Person
beforeAll(async () => {
  app = await startTestApp()
  ana = await person(app, { bio: 'Hello '.repeat(80) })
})
afterAll(() => app.close())

const idIn = async (answer: Response) => ((await answer.json()) as { id: string }).id
const ask = (path: string, init: RequestInit = {}) =>
  fetch(app.url + path, {
    ...init,
    headers: { authorization: `Bearer ${ana.token}`, 'accept-encoding': 'br, gzip', ...init.headers },
  })

it('A response over a kilobyte is compressed and varies by Accept-Encoding', async () => {
  const answer = await ask('/api/user/myDetails')
  expect(answer.headers.get('content-encoding')).toBe('br')
  expect(answer.headers.get('vary')).toContain('accept-encoding')
  expect(await idIn(answer)).toBe(ana.id)
  const gzip = await ask('/api/user/myDetails', { headers: { 'accept-encoding': 'gzip' } })
  expect([gzip.headers.get('content-encoding'), await idIn(gzip)]).toEqual(['gzip', ana.id])
  const plain = await ask('/api/user/myDetails', { headers: { 'accept-encoding': 'identity' } })
  expect([plain.headers.get('content-encoding'), await idIn(plain)]).toEqual([null, ana.id])
})

it('Short responses and responses to methods other than GET are not compressed', async () => {
  expect((await ask('/api/blocks')).headers.get('content-encoding')).toBeNull()
  const changed = await ask('/api/user/updateUser', {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ pronouns: 'she' }),
  })
  expect([changed.status, changed.headers.get('content-encoding')]).toEqual([200, null])
  expect((await changed.text()).length).toBeGreaterThan(1_024)
})

it('Public responses are not compressed', async () => {
  for (const path of ['/api/openapi.json', '/api/matching']) {
    const answer = await fetch(app.url + path, { headers: { 'accept-encoding': 'br, gzip' } })
    expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, null])
    expect((await answer.text()).length).toBeGreaterThan(1_024)
  }
})

it('A compressed request body is rejected', async () => {
  const body = gzipSync(JSON.stringify({ pronouns: 'they' }))
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  const answer = await ask('/api/user/updateUser', { method: 'PATCH', headers, body })
  expect(answer.status).toBe(400)
})
