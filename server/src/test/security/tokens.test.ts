import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../app.ts'
import { person } from '../people.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

it('A token’s row contains only its SHA-256, neither its text nor its bytes.', async () => {
  const { id, token } = await person(app)
  const rows = await app.platform.db.selectFrom('sessions').selectAll().where('user_id', '=', id).execute()
  const [row] = rows
  expect(rows).toHaveLength(1)
  expect(row?.token_hash).toEqual(createHash('sha256').update(token).digest())
  const secret = token.replace('dt1_', '')
  const forms = [token, secret, Buffer.from(secret, 'base64url').toString('hex'), Buffer.from(secret).toString('hex')]
  const told = JSON.stringify({ ...row, token_hash: row?.token_hash.toString('hex') })
  expect(forms.filter((form) => told.includes(form))).toEqual([])
})

it('A token signs its person in.', async () => {
  const me = await person(app)
  expect((await me.call('GET /api/user/myDetails')).body.id).toBe(me.id)
})
