import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authenticate } from 'mailauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, type MailServer, startMailServer } from '../test/mail-server.ts'
import { isPublished, recordOf } from './mail-signing.ts'
import { type Mail, smtpMailer } from './mailer.ts'

const from = 'Duet <no-reply@example.org>'
let server: MailServer
let folder: string
let keyFile: string
beforeAll(async () => {
  server = await startMailServer()
  folder = await mkdtemp(join(tmpdir(), 'duet-dkim-'))
  keyFile = join(folder, 'dkim.pem')
  await writeFile(keyFile, generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export(asPem))
})
afterAll(() => server.close())

const asPem = { type: 'pkcs8', format: 'pem' } as const
const signing = () => ({ domain: 'example.org', selector: 'duet', keyFile })

const mail: Mail = {
  to: 'ana@example.com',
  subject: 'Tienes novedades en Duet',
  text: 'Hola, Ana:\n\nHay novedades. ¡Mira!\n',
  html: '<!doctype html><html lang="es"><body><p>Hola, Ana:</p><p>Hay novedades. ¡Mira!</p></body></html>',
  unsubscribeUrl: `https://duet.example/api/mail/unsubscribe?token=${'a'.repeat(80)}`,
}

async function sent(what: Mail, isSigned = false): Promise<string> {
  const mailer = smtpMailer(server.url, from, isSigned ? signing() : undefined)
  await mailer.send(what)
  mailer.close()
  return server.received.at(-1)?.source ?? ''
}

async function verdict(source: string) {
  const { name, text } = recordOf(signing())
  const noSuchName = () => Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' })
  const resolver = async (asked: string, type: string) => {
    if (type === 'TXT' && asked === name) return [text.match(/.{1,255}/g) ?? []]
    throw noSuchName()
  }
  const { dkim } = await authenticate(source, {
    ...{ resolver, disableArc: true, disableDmarc: true, disableBimi: true },
  })
  return dkim.results[0]?.status.result
}

const fieldOf = (source: string, wanted: string) =>
  fieldsOf(source).find(([name]) => name.toLowerCase() === wanted)?.[1] ?? ''

describe('Signed emails', () => {
  it('A signed email passes an independent DKIM check that covers the unsubscribe fields', async () => {
    const source = await sent(mail, true)
    expect(await verdict(source)).toBe('pass')
    const signs = /\bh=([^;]*)/.exec(fieldOf(source, 'dkim-signature'))?.[1]?.toLowerCase().split(/ ?: ?/)
    for (const field of ['from', 'to', 'subject', 'date', 'message-id', 'list-unsubscribe', 'list-unsubscribe-post'])
      expect(signs).toContain(field)
  })

  it('A signed code email passes the check and stays plain text', async () => {
    const source = await sent({ to: 'ana@example.com', subject: 'Your Duet code', text: 'Here:\n\n12345678\n' }, true)
    expect(await verdict(source)).toBe('pass')
    expect(source).toMatch(/^12345678\r$/m)
  })

  it.each([
    ['the text', (source: string) => source.replace('Hay novedades', 'Hay problemas')],
    ['the unsubscribe link', (source: string) => source.replace('https://duet.example', 'https://evil.example')],
    ['the subject', (source: string) => source.replace('Tienes novedades', 'Tienes problemas')],
  ])('The signature fails when someone changes %s', async (_what, change) => {
    const source = await sent(mail, true)
    expect(change(source)).not.toBe(source)
    expect(await verdict(change(source))).not.toBe('pass')
  })

  it('An unusable signing key is reported before anything is sent', async () => {
    const other = join(folder, 'ed25519.pem')
    await writeFile(other, generateKeyPairSync('ed25519').privateKey.export(asPem))
    for (const file of [other, join(folder, 'missing.pem')])
      expect(() => smtpMailer(server.url, from, { ...signing(), keyFile: file })).toThrow(/^MAIL_DKIM_KEY_FILE: /)
  })

  it('A DNS record counts as published only with our key, even if split into parts', async () => {
    const { name, text } = recordOf(signing())
    expect(name).toBe('duet._domainkey.example.org')
    expect(text).toMatch(/^v=DKIM1; k=rsa; p=[A-Za-z0-9+/=]{300,}$/)
    expect(await isPublished(signing(), async () => [[text.slice(0, 200), text.slice(200)]])).toBe(true)
    expect(await isPublished(signing(), async () => [['v=DKIM1; p=AAAA']])).toBe(false)
    expect(await isPublished(signing(), () => Promise.reject(new Error('no DNS')))).toBe(false)
  })
})

describe('Email headers', () => {
  const namesOf = (source: string) => fieldsOf(source).map(([name]) => name.toLowerCase())
  it('Headers are ASCII, short, unique and valid by RFC 5322 and RFC 8058', async () => {
    const source = await sent(mail)
    expect(source).toMatch(/^[\r\n\t -~]+$/)
    for (const line of source.split('\r\n')) expect(line.length).toBeLessThanOrEqual(998)
    const names = namesOf(source)
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(name).toMatch(/^[!-9;-~]+$/)
    expect(fieldOf(source, 'list-unsubscribe')).toBe(`<${mail.unsubscribeUrl}>`)
    expect(fieldOf(source, 'list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    expect(fieldOf(source, 'auto-submitted')).toBe('auto-generated')
    expect(fieldOf(source, 'message-id')).toMatch(/^<[^<>@\s]+@example\.org>$/)
    expect(new Date(fieldOf(source, 'date')).getTime()).not.toBeNaN()
  })

  it('An email with HTML has plain text first, both quoted-printable', async () => {
    const source = await sent(mail)
    const boundary = /boundary="([^"]+)"/.exec(fieldOf(source, 'content-type'))?.[1] ?? ''
    expect(fieldOf(source, 'content-type')).toMatch(/^multipart\/alternative;/)
    const [, text = '', html = '', end] = source.split(`--${boundary}`)
    expect(end).toMatch(/^--/)
    expect(fieldOf(text.trimStart(), 'content-type')).toBe('text/plain; charset=utf-8')
    expect(fieldOf(html.trimStart(), 'content-type')).toBe('text/html; charset=utf-8')
    for (const part of [text, html])
      expect(fieldOf(part.trimStart(), 'content-transfer-encoding')).toBe('quoted-printable')
  })

  it('A code email is 7-bit plain text and has no unsubscribe headers', async () => {
    const source = await sent({ to: 'ana@example.com', subject: 'Your Duet code', text: 'Here:\n\n12345678\n' })
    expect(fieldOf(source, 'content-type')).toBe('text/plain; charset=utf-8')
    expect(fieldOf(source, 'content-transfer-encoding')).toBe('7bit')
    expect(namesOf(source).filter((name) => name.startsWith('list-'))).toEqual([])
  })

  it('A line break in an address cannot add a header', async () => {
    const broken = 'https://duet.example/\r\nBcc: eve@example.com'
    const source = await sent({ ...mail, to: 'ana@example.com', unsubscribeUrl: broken })
    expect(namesOf(source)).not.toContain('bcc')
    expect(server.received.at(-1)?.to).toEqual(['ana@example.com'])
  })
})
