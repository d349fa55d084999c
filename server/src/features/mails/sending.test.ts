import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { days, hours } from '../../platform/clock.ts'
import { smtpMailer } from '../../platform/mailer.ts'
import { transaction } from '../../platform/transaction.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { fieldsOf, type MailServer, startMailServer } from '../../test/mail-server.ts'
import { caller, type Person, people, person } from '../../test/people.ts'
import { standstillMs } from '../../test/standstill.ts'
import { mailNotice } from '../accounts/notices.ts'
import { sanction } from '../sanctions/sanctions.ts'
import { composeDigest } from './digest.ts'
import { mailNews, mailPerson } from './sending.ts'
import { unsubscribeUrls } from './unsubscribing.ts'

let app: TestApp
let server: MailServer
let mailer: ReturnType<typeof smtpMailer>
/** The mail server's reply to every recipient. */
let refusal: readonly [number, string] | undefined
beforeAll(async () => {
  app = await startTestApp()
  server = await startMailServer(() => refusal)
  mailer = smtpMailer(server.url, 'Duet <no-reply@example.org>')
  app.platform.mailer.send = mailer.send
})
beforeEach(() => {
  refusal = undefined
})
afterAll(async () => {
  mailer.close()
  await server.close()
  await app.close()
})

const gone = [550, '5.1.1 no such mailbox'] as const
const news = (who: Person) =>
  mailNews(app.platform, who.id, 'digest', ({ language, name, urls }) =>
    composeDigest(language, { name, urls, level: 'name', items: [{ kind: 'match', name: 'Jun' }] }),
  )
const mailsTo = ({ email }: Person) => server.received.filter(({ to }) => to.includes(email))
const stateOf = async (who: Person) => (await who.call('GET /api/mail')).body
const askForCode = (who: Person) => caller(app.url).call('POST /api/user/requestOtp', { body: { email: who.email } })
const suspend = (who: Person) =>
  transaction(app.platform, (tx) =>
    sanction(tx, { userId: who.id, kind: 'suspension', ground: 'spam', statement: 'You advertised.', decidedBy: null }),
  )

describe('news', () => {
  it('news is sent once, with a one-click unsubscribe header and a link to a page', async () => {
    const me = await person(app)
    expect(await news(me)).toBe(true)
    const [mail, ...more] = mailsTo(me)
    expect(more).toEqual([])
    const field = (name: string) => fieldsOf(mail?.source ?? '').find(([one]) => one === name)?.[1] ?? ''
    const url = /^<(.*)>$/.exec(field('List-Unsubscribe'))?.[1] ?? ''
    expect(field('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click')
    const answer = await fetch(app.url + new URL(url).pathname + new URL(url).search, {
      ...{ method: 'POST', body: 'List-Unsubscribe=One-Click' },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(answer.status).toBe(200)
    expect(await news(me)).toBe(false)
    expect(mailsTo(me)).toHaveLength(1)
  })

  it('no email is sent without news', async () => {
    const me = await person(app)
    expect(await mailNews(app.platform, me.id, 'digest', () => undefined)).toBe(false)
    expect(mailsTo(me)).toEqual([])
  })

  it('people who are suspended, about to be erased or gone get no news, but they get decisions', async () => {
    const [suspended, leaving] = [await person(app), await person(app)]
    const { page } = unsubscribeUrls(app.platform, suspended.id, 'all')
    const token = new URL(page).searchParams.get('token') ?? ''
    await caller(app.url).call('POST /api/mail/unsubscribe', {
      ...{ query: { token }, body: { 'List-Unsubscribe': 'One-Click' } },
    })
    await suspend(suspended)
    await vi.waitFor(() => expect(mailsTo(suspended)).toHaveLength(1), { timeout: standstillMs })
    expect(mailsTo(suspended)[0]?.source).not.toContain('List-Unsubscribe')
    await leaving.call('POST /api/erasure', { body: {} })
    await vi.waitFor(() => expect(mailsTo(leaving)).toHaveLength(1), { timeout: standstillMs })
    for (const who of [suspended, leaving]) expect(await news(who)).toBe(false)
    expect(await news({ ...suspended, id: crypto.randomUUID() })).toBe(false)
    expect([...mailsTo(suspended), ...mailsTo(leaving)]).toHaveLength(2)
  })
})

const takeOther = async () => expect(await news(await person(app))).toBe(true)
/** Makes the mail server report a person's mailbox as nonexistent on two days, and accept another email in between. */
async function goOnTwoDays(who: Person): Promise<void> {
  for (const _ of [1, 2]) {
    refusal = gone
    await expect(news(who)).rejects.toThrow()
    refusal = undefined
    await takeOther()
    app.clock.advance(days(1))
  }
}

describe('gone mailboxes', () => {
  beforeEach(takeOther)

  it('a mailbox called gone gets no news for a day, and none for 30 days once that was said on two days', async () => {
    const me = await person(app)
    refusal = gone
    await expect(news(me)).rejects.toThrow()
    refusal = undefined
    expect((await stateOf(me)).unreachableSince).toBeNull()
    app.clock.advance(hours(19))
    await expect(news(me)).rejects.toThrow()
    app.clock.advance(hours(2))
    await takeOther()
    refusal = gone
    await expect(news(me)).rejects.toThrow()
    refusal = undefined
    const since = new Date((await stateOf(me)).unreachableSince ?? '')
    expect(app.clock.now().getTime() - since.getTime()).toBeGreaterThan(hours(20))
    app.clock.advance(days(29))
    await expect(news(me)).rejects.toThrow()
    expect(mailsTo(me)).toEqual([])
    app.clock.advance(days(2))
    expect(await news(me)).toBe(true)
    expect((await stateOf(me)).unreachableSince).toBeNull()
  })

  it('a gone mailbox is tried again when its owner asks for it', async () => {
    const me = await person(app)
    await goOnTwoDays(me)
    expect((await stateOf(me)).unreachableSince).not.toBeNull()
    expect((await me.call('POST /api/mail/retry')).status).toBe(200)
    expect((await stateOf(me)).unreachableSince).toBeNull()
    expect(await news(me)).toBe(true)
  })

  it('any email except a code can find a mailbox gone; decisions are still sent, and show when it works again', async () => {
    const me = await person(app)
    const decision = { to: me.email, subject: 'A decision', text: 'It was decided.' }
    refusal = gone
    await expect(mailPerson(app.platform, me.id, decision)).rejects.toThrow()
    refusal = undefined
    await takeOther()
    app.clock.advance(days(1))
    refusal = gone
    // Neither call throws, because a retry would fail too.
    await mailPerson(app.platform, me.id, decision)
    await mailNotice(app.platform, { userId: me.id, notice: 'password_set' })
    refusal = undefined
    expect((await stateOf(me)).unreachableSince).not.toBeNull()
    await mailPerson(app.platform, me.id, decision)
    expect(mailsTo(me)).toHaveLength(1)
    expect((await stateOf(me)).unreachableSince).toBeNull()
  })

  it('an accepted code makes a mailbox reachable again', async () => {
    const me = await person(app)
    await goOnTwoDays(me)
    await askForCode(me)
    await vi.waitFor(async () => expect((await stateOf(me)).unreachableSince).toBeNull(), { timeout: standstillMs })
    expect(await news(me)).toBe(true)
  })

  it('a changed address counts as another mailbox', async () => {
    const me = await person(app)
    await goOnTwoDays(me)
    const email = `new-${me.email}`
    await app.platform.db.updateTable('accounts').set({ email }).where('id', '=', me.id).execute()
    expect((await stateOf(me)).unreachableSince).toBeNull()
    expect(await news(me)).toBe(true)
    expect(mailsTo({ ...me, email })).toHaveLength(1)
  })

  it('no mailbox is gone while the server accepts no email in between, since it may be refusing us', async () => {
    const all = await people(app, 3)
    refusal = gone
    for (const _ of [1, 2, 3]) {
      for (const who of all) await expect(news(who)).rejects.toThrow()
      app.clock.advance(days(1))
    }
    refusal = undefined
    for (const who of all) expect((await stateOf(who)).unreachableSince).toBeNull()
    for (const who of all) expect(await news(who)).toBe(true)
  })

  it('at most ten mailboxes are called gone between two accepted emails', async () => {
    const all = await people(app, 11)
    for (const _ of [1, 2]) {
      refusal = gone
      for (const who of all) await expect(news(who)).rejects.toThrow()
      refusal = undefined
      await takeOther()
      app.clock.advance(days(1))
    }
    const gones = await Promise.all(all.map(async (who) => (await stateOf(who)).unreachableSince !== null))
    expect(gones.filter(Boolean)).toHaveLength(10)
  })

  it.each([
    ['is full for now', [452, '4.2.2 mailbox full']],
    ['is greylisted', [450, '4.2.0 try again later']],
    ['is of a server that has us on a list', [550, '5.7.1 listed']],
    ['is of a server that we may not send through', [550, 'relay not permitted']],
  ] as const)("a mailbox isn't gone when it %s", async (_what, said) => {
    const me = await person(app)
    for (const _ of [1, 2]) {
      refusal = said
      await expect(news(me)).rejects.toThrow()
      app.clock.advance(days(1))
    }
    refusal = undefined
    expect((await stateOf(me)).unreachableSince).toBeNull()
    expect(await news(me)).toBe(true)
  })
})

describe('unanswered emails', () => {
  const decision = (who: Person) => ({ to: who.email, subject: 'A decision', text: 'It was decided.' })
  const mail = (who: Person) => mailPerson(app.platform, who.id, decision(who))
  beforeEach(() => {
    server.isMute = true
  })
  afterEach(() => {
    server.isMute = false
  })

  it('an unanswered email is retried once and then counts as accepted, since each attempt may have arrived', async () => {
    const me = await person(app)
    await expect(mail(me)).rejects.toThrow('never confirmed')
    await mail(me)
    expect(mailsTo(me)).toHaveLength(2)
  })

  it('an unanswered email counts anew once the server has accepted it, or after two days', async () => {
    const me = await person(app)
    await expect(mail(me)).rejects.toThrow('never confirmed')
    server.isMute = false
    await mail(me)
    server.isMute = true
    await expect(mail(me)).rejects.toThrow('never confirmed')
    app.clock.advance(days(2) + 1)
    await expect(mail(me)).rejects.toThrow('never confirmed')
  })
})
