import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readMail } from '../demo/mail-page.ts'
import { type MailServer, startMailServer, startRelay, startSilentServer } from '../test/mail-server.ts'
import {
  countedMailer,
  isAway,
  isRefused,
  isUncertain,
  type Meaning,
  meaningOf,
  outboxMailer,
  smtpMailer,
} from './mailer.ts'
import { createTimings } from './timings.ts'

let server: MailServer
let url = ''
beforeAll(async () => {
  server = await startMailServer((address) =>
    address.startsWith('no-one') ? [550, '5.1.1 no such mailbox'] : undefined,
  )
  url = server.url
})
afterAll(() => server.close())

it('An email is sent by SMTP unchanged', async () => {
  const mailer = smtpMailer(url, 'Duet <no-reply@example.com>')
  await mailer.verify()
  await mailer.send({ to: 'ana@example.com', subject: 'Your Duet code', text: 'Here it is:\n\n12345678\n' })
  expect(server.received).toHaveLength(1)
  expect(server.received[0]).toMatchObject({ from: 'no-reply@example.com', to: ['ana@example.com'] })
  expect(server.received[0]?.source).toMatch(/^12345678\r$/m)
  mailer.close()
})

it('A line break in a subject cannot add a header', async () => {
  const mailer = smtpMailer(url, 'Duet <no-reply@example.com>')
  await mailer.send({ to: 'ana@example.com', subject: 'Hello\r\nBcc: eve@example.com', text: 'x' })
  expect(server.received.at(-1)?.to).toEqual(['ana@example.com'])
  expect(server.received.at(-1)?.source).not.toMatch(/^Bcc:/m)
  mailer.close()
})

it('Sending throws when the server rejects the email or is down', async () => {
  const mailer = smtpMailer(url, 'Duet <no-reply@example.com>')
  await expect(mailer.send({ to: 'no-one@example.com', subject: 'x', text: 'x' })).rejects.toThrow()
  mailer.close()
  const dead = smtpMailer('smtp://127.0.0.1:1', 'Duet <no-reply@example.com>')
  await expect(dead.verify()).rejects.toThrow()
  dead.close()
})

type Command = 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | '.'
const answers: [Command, line: string, Meaning, isOfOne: boolean][] = [
  ['RCPT', '550 5.1.1 No such user here', 'gone', true],
  ['RCPT', '550-5.1.1 The email account that you tried to reach does not exist.\r\n550 5.1.1 Try again', 'gone', true],
  ['RCPT', '550 5.1.2 Domain not found', 'gone', true],
  ['RCPT', '501 5.1.3 Bad recipient address syntax', 'gone', true],
  ['RCPT', '550 5.1.6 Recipient has moved', 'gone', true],
  ['RCPT', '556 5.1.10 Domain does not accept email', 'gone', true],
  ['RCPT', '550 5.2.1 The account is disabled', 'gone', true],
  ['RCPT', '550 No such user', 'gone', true],
  ['RCPT', '550 Unknown user', 'gone', true],
  ['RCPT', '553 sorry, no mailbox here by that name', 'gone', true],
  ['RCPT', '550 User unknown in virtual mailbox table', 'gone', true],
  ['RCPT', '550 Mailbox does not exist', 'gone', true],
  ['RCPT', '550 Requested action not taken: mailbox unavailable', 'us', true],
  ['RCPT', '550 relay not permitted', 'us', true],
  ['RCPT', '550 Sender address does not exist', 'us', true],
  ['RCPT', '550 5.1.8 Sender address rejected: Domain not found', 'us', true],
  ['RCPT', '550 5.7.1 listed: no such user is let in', 'us', true],
  ['RCPT', '550 5.7.23 SPF validation failed', 'us', true],
  ['RCPT', '554 5.5.1 Error: no valid sender', 'us', true],
  ['RCPT', '550 5.4.1 Recipient address rejected: Access denied', 'us', true],
  ['RCPT', '551 User not local', 'us', true],
  ['RCPT', '530 5.7.0 Must issue a STARTTLS command first', 'us', true],
  ['RCPT', '552 5.2.2 Mailbox full', 'later', true],
  ['RCPT', '552 Quota exceeded', 'later', true],
  ['RCPT', '450 4.1.1 Unverified address: no such user', 'later', true],
  ['RCPT', '450 4.2.0 Greylisted', 'later', true],
  ['RCPT', '452 4.2.2 Mailbox full', 'later', true],
  ['RCPT', '421 4.7.0 Too many connections', 'later', false],
  ['MAIL', '550 5.7.1 Sender denied: your account has expired', 'us', false],
  ['MAIL', '550 5.1.1 No such user', 'us', false],
  ['MAIL', '451 4.3.0 Try again later', 'later', false],
  ['AUTH', '535 5.7.8 Authentication failed', 'us', false],
  ['AUTH', '454 4.7.0 Temporary authentication failure', 'later', false],
  ['DATA', '554 5.5.1 No valid recipients', 'us', true],
  ['.', '554 5.7.1 Looks like spam', 'us', true],
  ['.', '550 5.1.1 No such user', 'us', true],
  ['.', '451 4.3.0 Try again later', 'later', true],
]
it.each(answers)('The reply to %s of "%s" means %s', async (command, line, meaning, isOfOne) => {
  const relay = await startRelay(command, line)
  const mailer = smtpMailer(relay.url, 'Duet <no-reply@example.com>')
  const error = await mailer.send({ to: 'ana@example.com', subject: 'x', text: 'x' }).catch((err: unknown) => err)
  mailer.close()
  relay.close()
  expect(error).toBeInstanceOf(Error)
  expect([meaningOf(error), isRefused(error), isAway(error)]).toEqual([meaning, isOfOne, !isOfOne])
})

const hour = 3_600_000
const sendBy = (mailer: ReturnType<typeof smtpMailer>) =>
  mailer.send({ to: 'ana@example.com', subject: 'x', text: 'x' }).then(
    () => 'taken',
    (error: unknown) => [isAway(error), isUncertain(error)],
  )

it('Emails that wait for a connection time out while the mail server hangs', async () => {
  const silent = await startSilentServer()
  const mailer = smtpMailer(silent.url, 'Duet <no-reply@example.com>', undefined, { handOverMs: 200, answerMs: hour })
  const all = await Promise.all(Array.from({ length: 20 }, () => sendBy(mailer)))
  expect(all).toEqual(all.map(() => [true, false]))
  mailer.close()
  silent.close()
})

it('An email without a final reply times out as possibly accepted', async () => {
  const relay = await startRelay('.', '')
  const mailer = smtpMailer(relay.url, 'Duet <no-reply@example.com>', undefined, { handOverMs: hour, answerMs: 200 })
  expect(await sendBy(mailer)).toEqual([true, true])
  mailer.close()
  relay.close()
})

it('Other emails do not wait behind code emails', async () => {
  let letGo = (_: undefined) => {}
  const held = new Promise<undefined>((resolve) => {
    letGo = resolve
  })
  const slow = await startMailServer((address) => (address.startsWith('slow') ? held : undefined))
  const mailer = smtpMailer(slow.url, 'Duet <no-reply@example.com>')
  const mail = { subject: 'x', text: 'x' }
  const codes = [1, 2, 3, 4].map(() => mailer.send({ kind: 'code', to: 'slow@example.com', ...mail }))
  await mailer.send({ to: 'ana@example.com', ...mail })
  expect(slow.received.map(({ to }) => to)).toEqual([['ana@example.com']])
  letGo(undefined)
  await Promise.all(codes)
  mailer.close()
  await slow.close()
})

it('Emails are counted by kind and outcome, starting at 0, and retries are not counted', async () => {
  const { registry, mail: count } = createTimings()
  const counted = countedMailer(smtpMailer(url, 'Duet <no-reply@example.com>'), count)
  await counted.send({ kind: 'code', to: 'ana@example.com', subject: 'x', text: 'x' })
  for (const isRepeated of [false, true])
    await counted
      .send({ kind: 'code', isRepeated, to: 'no-one@example.com', subject: 'x', text: 'x' })
      .catch(() => undefined)
  server.isMute = true
  await counted.send({ to: 'ana@example.com', subject: 'x', text: 'x' }).catch(() => undefined)
  server.isMute = false
  counted.close()
  const figures = await registry.getSingleMetricAsString('duet_mails_total')
  const lines = figures.split('\n').filter((line) => /^duet_.* [1-9]/.test(line))
  expect(lines.sort()).toEqual([
    'duet_mails_total{kind="code",outcome="gone"} 1',
    'duet_mails_total{kind="code",outcome="taken"} 1',
    'duet_mails_total{kind="notice",outcome="uncertain"} 1',
  ])
  expect(figures).toContain('duet_mails_total{kind="code",outcome="later"} 0')
})

it('An unreachable mail server does not mark a mailbox as gone', async () => {
  const mailer = smtpMailer('smtp://127.0.0.1:1', 'Duet <no-reply@example.com>')
  const error = await mailer.send({ to: 'ana@example.com', subject: 'x', text: 'x' }).catch((err: unknown) => err)
  mailer.close()
  expect([meaningOf(error), isRefused(error), isAway(error)]).toEqual(['later', false, true])
})

it('The outbox stores emails of every language as ASCII with the code on its own line', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'duet-outbox-'))
  const mailer = outboxMailer(folder, 'Duet <no-reply@example.com>')
  const text = 'هذا رمزك للدخول إلى Duet:\n\n12345678\n\nلا أحد يستطيع الدخول من دونه.\n'
  await mailer.send({ to: 'ana@example.com', subject: 'رمزك في Duet', text })
  const [file = ''] = await readdir(folder)
  const written = await readFile(join(folder, file), 'utf8')
  expect(written).toMatch(/^To: ana@example.com$/m)
  expect(written).toMatch(/^12345678$/m)
  expect(written).toMatch(/^[\n -~]+$/)
  expect(readMail(written)).toEqual({ to: 'ana@example.com', subject: 'رمزك في Duet', text: text.trim() })
})

it('The outbox stores each email as one plain text file with the code on its own line', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'duet-outbox-'))
  const mailer = outboxMailer(folder, 'Duet <no-reply@example.com>')
  const text = `Here it is:\n\n12345678\n\n${'It works for a while, and once. '.repeat(5)}\n\n${'x'.repeat(76)}\nBye.\n`
  await mailer.send({ to: 'ana@example.com', subject: 'Your Duet code', text })
  const [file = ''] = await readdir(folder)
  const written = await readFile(join(folder, file), 'utf8')
  expect(file).toMatch(/\.eml$/)
  expect(written).toMatch(/^To: ana@example.com$/m)
  expect(written).toMatch(/^Content-Type: text\/plain/m)
  expect(written).toMatch(/^Content-Transfer-Encoding: 7bit$/m)
  expect(written).toMatch(/^12345678$/m)
  const asOneLine = (mail: string) => mail.replace(/\s+/g, ' ').trim()
  expect(asOneLine(readMail(written).text)).toBe(asOneLine(text))
  expect(written).toMatch(/\n\nx{76}\nBye\.\n/)
})

it('The outbox stores an email with HTML in both forms', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'duet-outbox-'))
  const mailer = outboxMailer(folder, 'Duet <no-reply@example.com>')
  const mail = { to: 'ana@example.com', subject: 'Un día', text: 'Sí: mañana.\n\nHasta luego.\n' }
  await mailer.send({ ...mail, html: '<p>Sí: mañana.</p><p>Hasta luego.</p>' })
  const [file = ''] = await readdir(folder)
  const written = await readFile(join(folder, file), 'utf8')
  expect(written).toMatch(/^[\n -~]+$/)
  expect(readMail(written)).toEqual({ ...mail, text: mail.text.trim() })
  await mailer.forget('Ana@example.com')
  expect(await readdir(folder)).toEqual([])
})

it('Forgetting an address removes only its emails from the outbox', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'duet-outbox-'))
  const mailer = outboxMailer(folder, 'Duet <no-reply@example.com>')
  const all = ['a@x.org', 'ana@x.org', 'a@x.org.example', 'A@X.org', 'eva@bücher.example']
  for (const to of all) await mailer.send({ to, subject: 'x', text: 'For a@x.org' })
  const left = async () => (await readdir(folder)).length
  await mailer.forget('a@x.org')
  expect(await left()).toBe(3)
  await mailer.forget('Eva@Bücher.example')
  expect(await left()).toBe(2)
  const signs = ['ana..b@x.org', '"an na"@x.org', `${'long.'.repeat(12)}name@${'long.'.repeat(12)}example`]
  for (const to of signs) await mailer.send({ to, subject: 'x', text: 'x' })
  expect(await left()).toBe(5)
  for (const to of signs) await mailer.forget(to)
  expect(await left()).toBe(2)
  await mailer.forgetBefore(new Date(Date.now() - 60_000))
  expect(await left()).toBe(2)
  await mailer.forgetBefore(new Date(Date.now() + 60_000))
  expect(await left()).toBe(0)
})
