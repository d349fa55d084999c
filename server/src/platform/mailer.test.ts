import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readMail } from '../demo/mail-page.ts'
import { type MailServer, startMailServer } from '../test/mail-server.ts'
import { outboxMailer, smtpMailer } from './mailer.ts'

let server: MailServer
let url = ''
beforeAll(async () => {
  server = await startMailServer((address) =>
    address.startsWith('no-one') ? [550, '5.1.1 no such mailbox'] : undefined,
  )
  url = server.url
})
afterAll(() => server.close())

it('sends a mail by SMTP as it was written', async () => {
  const mailer = smtpMailer(url, 'Duet <no-reply@example.com>')
  await mailer.verify()
  await mailer.send({ to: 'ana@example.com', subject: 'Your Duet code', text: 'Here it is:\n\n12345678\n' })
  expect(server.received).toHaveLength(1)
  expect(server.received[0]).toMatchObject({ from: 'no-reply@example.com', to: ['ana@example.com'] })
  expect(server.received[0]?.source).toMatch(/^12345678\r$/m)
  mailer.close()
})

it('never lets a line break in an address or a subject become a header', async () => {
  const mailer = smtpMailer(url, 'Duet <no-reply@example.com>')
  await mailer.send({ to: 'ana@example.com', subject: 'Hello\r\nBcc: eve@example.com', text: 'x' })
  expect(server.received.at(-1)?.to).toEqual(['ana@example.com'])
  expect(server.received.at(-1)?.source).not.toMatch(/^Bcc:/m)
  mailer.close()
})

it('throws when a mail is not taken', async () => {
  const mailer = smtpMailer(url, 'Duet <no-reply@example.com>')
  await expect(mailer.send({ to: 'no-one@example.com', subject: 'x', text: 'x' })).rejects.toThrow()
  mailer.close()
  const dead = smtpMailer('smtp://127.0.0.1:1', 'Duet <no-reply@example.com>')
  await expect(dead.verify()).rejects.toThrow()
  dead.close()
})

it('the outbox holds mails of every language in ASCII, the code alone on its line', async () => {
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

it('the outbox holds every mail as one file in plain text, the code alone on its line', async () => {
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

it('the outbox holds a mail with HTML as both, and its text can be read', async () => {
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

it('forgets in the outbox what goes to an address, and to no other that looks like it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'duet-outbox-'))
  const mailer = outboxMailer(folder, 'Duet <no-reply@example.com>')
  const all = ['a@x.org', 'ana@x.org', 'a@x.org.example', 'A@X.org', 'eva@bücher.example']
  for (const to of all) await mailer.send({ to, subject: 'x', text: 'For a@x.org' })
  const left = async () => (await readdir(folder)).length
  await mailer.forget('a@x.org')
  expect(await left()).toBe(3)
  await mailer.forget('Eva@Bücher.example')
  expect(await left()).toBe(2)
  await mailer.forgetBefore(new Date(Date.now() - 60_000))
  expect(await left()).toBe(2)
  await mailer.forgetBefore(new Date(Date.now() + 60_000))
  expect(await left()).toBe(0)
})
