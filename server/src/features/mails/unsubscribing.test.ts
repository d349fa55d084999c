import { randomUUID } from 'node:crypto'
import { MailGroup } from '@duet/contract/mails.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectOwner } from '../../platform/database/database.ts'
import { createSecrets } from '../../platform/security/secrets.ts'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { caller, type Person, person } from '../../test/people.ts'
import { eraseAccount } from '../data-rights/erasure.ts'
import { isStopped } from './sending.ts'
import { unsubscribeToken, unsubscribeUrls } from './unsubscribing.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const oneClick = { 'List-Unsubscribe': 'One-Click' } as const
const tokenFor = (who: { id: string }, group: MailGroup = 'digest') => unsubscribeToken(app.platform, who.id, group)
const stop = (token: string) => caller(app.url).call('POST /api/mail/unsubscribe', { query: { token }, body: oneClick })
const stoppedBy = async (who: Person) => (await who.call('GET /api/mail')).body.stopped
const post = (token: string, body: string, type: string) =>
  fetch(`${app.url}/api/mail/unsubscribe?token=${token}`, { method: 'POST', body, headers: { 'content-type': type } })

describe('one-click unsubscribing', () => {
  it("one click unsubscribes from the email's group without signing in, repeatedly, and from nothing else", async () => {
    const [me, other] = [await person(app), await person(app)]
    const token = tokenFor(me)
    for (let time = 0; time < 2; time++) {
      const { status, body } = await stop(token)
      expect([status, body.group]).toEqual([200, 'digest'])
    }
    expect(await stoppedBy(me)).toEqual(['digest'])
    expect(await stoppedBy(other)).toEqual([])
    const { db } = app.platform
    expect(await Promise.all(MailGroup.options.map((group) => isStopped(db, me.id, group)))).toEqual([
      ...[true, false, false, false],
    ])
    await stop(tokenFor(me, 'all'))
    expect(await isStopped(db, me.id, 'messages')).toBe(true)
  })

  const form = (field: string, value: string) =>
    `--xyz\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n--xyz--\r\n`
  it.each([
    ['a form', 'List-Unsubscribe=One-Click', 'application/x-www-form-urlencoded'],
    ['a form with a charset', 'List-Unsubscribe=One-Click', 'application/x-www-form-urlencoded; charset=utf-8'],
    ['a form in parts', form('List-Unsubscribe', 'One-Click'), 'multipart/form-data; boundary=xyz'],
    ['JSON', JSON.stringify(oneClick), 'application/json'],
  ])('one click works as %s', async (_what, body, type) => {
    const me = await person(app)
    expect((await post(tokenFor(me), body, type)).status).toBe(200)
    expect(await stoppedBy(me)).toEqual(['digest'])
  })

  it.each([
    ['no field', '', 'application/x-www-form-urlencoded', 400],
    ['another field', 'a=b', 'application/x-www-form-urlencoded', 400],
    ['another value', 'List-Unsubscribe=Yes', 'application/x-www-form-urlencoded', 400],
    ['parts without the field', form('a', 'One-Click'), 'multipart/form-data; boundary=xyz', 400],
    ['a body that is too long', 'a'.repeat(5_000), 'application/x-www-form-urlencoded', 413],
    ['plain text', 'List-Unsubscribe=One-Click', 'text/plain', 415],
  ])('one click does nothing with %s', async (_what, body, type, status) => {
    const me = await person(app)
    expect((await post(tokenFor(me), body, type)).status).toBe(status)
    expect(await stoppedBy(me)).toEqual([])
  })

  it('a scanner that opens the URL is redirected to a page, and unsubscribes nobody', async () => {
    const me = await person(app)
    const { oneClick: url, page } = unsubscribeUrls(app.platform, me.id, 'digest')
    const path = new URL(url).pathname + new URL(url).search
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetch(app.url + path, { method, redirect: 'manual' })
      expect([answer.status, answer.headers.get('location')]).toEqual([
        303,
        new URL(page).pathname + new URL(page).search,
      ])
    }
    expect(
      (
        await fetch(`${app.url}/api/mail/unsubscribe?token=${'%0d%0aSet-Cookie:a=b'}`, { redirect: 'manual' })
      ).headers.get('set-cookie'),
    ).toBeNull()
    expect(await stoppedBy(me)).toEqual([])
  })

  it('one click gives the same answer for erased people and for ones who never existed', async () => {
    const me = await person(app)
    const token = tokenFor(me)
    const mine = await stop(token)
    const owner = connectOwner(ownerOf(app.platform), () => undefined)
    await eraseAccount({ ...app.platform, db: owner.db }, me.id)
    await owner.db.destroy()
    for (const other of [token, tokenFor({ id: randomUUID() })]) {
      const { status, body } = await stop(other)
      expect([status, body]).toEqual([mine.status, mine.body])
    }
  })
})

describe('a token', () => {
  it('a token hides the id, differs each time, and is short enough for email programs', async () => {
    const id = randomUUID()
    const [one, other] = [tokenFor({ id }), tokenFor({ id })]
    expect(one).not.toBe(other)
    for (const token of [one, other]) {
      expect(token).toMatch(/^[A-Za-z0-9_-]{60,150}$/)
      expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain(id)
    }
  })

  it.each([
    ['changed by a bit', (token: string) => `${token.slice(0, 30)}${token[30] === 'A' ? 'B' : 'A'}${token.slice(31)}`],
    ['cut', (token: string) => token.slice(0, -4)],
    ['longer', (token: string) => `${token}AAAA`],
    ['empty', () => ''],
  ])('a token that is %s unsubscribes nobody', async (_what, change) => {
    const me = await person(app)
    expect((await stop(change(tokenFor(me)))).status).toBe(404)
    expect(await stoppedBy(me)).toEqual([])
  })

  it('a token with another group, purpose or installation is refused', async () => {
    const me = await person(app)
    const elsewhere = unsubscribeToken({ secrets: createSecrets('another key, just as long as the one') }, me.id, 'all')
    const security = unsubscribeToken(app.platform, me.id, 'sanctions' as MailGroup)
    for (const token of [elsewhere, security]) expect((await stop(token)).status).toBe(404)
    expect(await stoppedBy(me)).toEqual([])
  })

  it('a token made with the previous key still works', async () => {
    const [before, now] = ['the key of last year, long enough for it', 'the key of this year, long enough as well']
    const rotated = await startTestApp({ SECRET_KEY: now, SECRET_KEY_PREVIOUS: before })
    const me = await person(rotated)
    const token = unsubscribeToken({ secrets: createSecrets(before) }, me.id, 'messages')
    const answer = await caller(rotated.url).call('POST /api/mail/unsubscribe', { query: { token }, body: oneClick })
    expect([answer.status, answer.body.group]).toEqual([200, 'messages'])
    expect((await me.call('GET /api/mail')).body.stopped).toEqual(['messages'])
    await rotated.close()
  })
})

describe('unsubscribed people', () => {
  it('resubscribing to one group of all leaves the others unsubscribed', async () => {
    const me = await person(app)
    await stop(tokenFor(me, 'all'))
    const resumed = await me.call('POST /api/mail/resume', { body: { group: 'matches' } })
    expect(resumed.body.stopped.sort()).toEqual(['digest', 'messages'])
    expect((await me.call('POST /api/mail/resume', { body: { group: 'all' } })).body.stopped).toEqual([])
  })

  it('codes arrive even after unsubscribing from everything', async () => {
    const me = await person(app)
    await stop(tokenFor(me, 'all'))
    app.mails.length = 0
    await caller(app.url).call('POST /api/user/requestOtp', { body: { email: me.email } })
    expect(await app.codeFor(me.email)).toMatch(/^\d{8}$/)
    expect(app.mails[0]).not.toHaveProperty('unsubscribeUrl')
  })
})
