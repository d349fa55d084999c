import { describe, expect, it } from 'vitest'
import { smtpMailer } from '../../platform/mailer.ts'
import { fieldsOf, startMailServer } from '../../test/mail-server.ts'
import { composeMail, isRisky, nameIn, strangerIn } from './mails.ts'

const say = (text: string, more = {}) => composeMail('en', { subject: 'News', paragraphs: [text], ...more })
const wordsOf = (html: string) =>
  html
    .replace(/<(style|title|div)[^>]*>[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

describe('an email', () => {
  it("an email says the same in text and HTML, in its reader's language and direction", () => {
    const parts = {
      subject: 'قرار',
      greeting: 'مرحبًا ليلى،',
      paragraphs: ['أول', { text: 'ثانٍ', href: 'https://duet.example/a', label: 'افتح' }],
      items: ['خبر'],
      footer: [{ text: 'أوقفها:', href: 'https://duet.example/b' }],
    }
    const { text, html } = composeMail('ar', parts)
    expect(text).toBe('مرحبًا ليلى،\n\nأول\n\n- خبر\n\nثانٍ\nhttps://duet.example/a\n\nأوقفها:\nhttps://duet.example/b\n')
    for (const words of ['مرحبًا ليلى،', 'أول', 'خبر', 'ثانٍ', 'افتح', 'أوقفها:']) expect(wordsOf(html)).toContain(words)
    expect(html).toMatch(/<html lang="ar" dir="rtl">/)
    expect(html).toMatch(/<table[^>]* lang="ar" dir="rtl"/)
    expect(composeMail('es', parts).html).toMatch(/<html lang="es" dir="ltr">/)
  })

  it('an email loads nothing, runs nothing and tracks nobody', () => {
    const { html } = say('Hello', { paragraphs: [{ text: 'x', href: 'https://duet.example/a', label: 'Go' }] })
    expect(html).not.toMatch(/<(img|script|link|iframe|object|form|svg|base)\b|url\(|@import|@font-face|\son\w+=/i)
    expect(html.match(/https?:\/\/[^"<\s]+/g)).toEqual(['https://duet.example/a'])
  })

  it.each([
    '<img src=x onerror=alert(1)>',
    '</p></td></table><script>alert(1)</script>',
    '" onclick="alert(1)',
    "' style='position:fixed",
    '&lt;b&gt; &#60;i&#62;',
    '--></style><b>',
  ])('an email shows %s as written, in every part', (hostile) => {
    const link = { text: hostile, href: `https://duet.example/${hostile}`, label: hostile }
    const { html } = composeMail('en', {
      ...{ subject: hostile, preheader: hostile, greeting: hostile, items: [hostile] },
      ...{ paragraphs: [hostile, link, { text: hostile, href: link.href }], footer: [hostile, link] },
    })
    const clean = composeMail('en', {
      ...{ subject: 'x', preheader: 'x', greeting: 'x', items: ['x'] },
      ...{ paragraphs: ['x\nx', { text: 'x', href: 'https://duet.example/x', label: 'x' }] },
      ...{ footer: ['x', { text: 'x', href: 'https://duet.example/x', label: 'x' }] },
    })
    const tags = (page: string) => [...new Set(page.match(/<\/?\w+/g))].sort()
    expect(tags(html)).toEqual(tags(clean.html))
    expect(html.replace(/&(amp|lt|gt|quot|#39);/g, '')).not.toContain(hostile)
  })

  it.each(['javascript:alert(1)', 'data:text/html,x', '//evil.example', ' https://evil.example'])(
    'an email makes no link of %s',
    (href) => {
      expect(say('x', { paragraphs: [{ text: 'x', href, label: 'Go' }] }).html).not.toContain(href)
    },
  )

  it('an email isolates text direction, and drops control characters', () => {
    const hostile = 'Ana\u202Eevil\u2066\u2067\u202B\u0007\u0000'
    const { subject, text, html } = composeMail('en', {
      ...{ subject: hostile, preheader: hostile, greeting: hostile, paragraphs: [hostile], items: [hostile] },
    })
    for (const part of [subject, text, html]) expect(part).not.toMatch(/[^\P{Cc}\n]|[\u202A-\u202E\u2066\u2067]/u)
    expect(nameIn('en', 'Ana\u2069\u202E')).toBe('Ana')
    expect(nameIn('en', 'ليلى\u2069')).toBe('\u2068ليلى\u2069')
    expect(nameIn('ar', 'ليلى')).toBe('ليلى')
    expect(nameIn('ar', 'Ana')).toBe('\u2068Ana\u2069')
  })

  it("an email's subject is one line, which can't add a header field", async () => {
    const server = await startMailServer()
    const mailer = smtpMailer(server.url, 'Duet <no-reply@example.org>')
    const long = `Ana\r\nBcc: eve@example.com\n\n<script>${'é'.repeat(300)}`
    await mailer.send({ to: 'ana@example.com', ...composeMail('en', { subject: long, paragraphs: [long] }) })
    mailer.close()
    await server.close()
    const [mail] = server.received
    expect(mail?.to).toEqual(['ana@example.com'])
    const names = fieldsOf(mail?.source ?? '').map(([name]) => name.toLowerCase())
    expect(names).not.toContain('bcc')
    expect(new Set(names).size).toBe(names.length)
    expect([...composeMail('en', { subject: long, paragraphs: [] }).subject]).toHaveLength(120)
  })

  it.each(['https://a.example', 'evil.example', 'call +34 600 000 000', 'a@b.example', 'www。evil。example'])(
    "an email doesn't show %s as a stranger's name",
    (name) => {
      expect(strangerIn('en', name)).toBe('Someone')
      expect(strangerIn('es', name)).toBe('Alguien')
      expect(strangerIn('en', 'Mary Ann')).toBe('Mary Ann')
    },
  )
})

it.each(['\u200d', '\u200c', '\u00ad', '\u{e0067}', '\u3164'])('an address split by %j is risky', (joiner) => {
  expect(isRisky(`evil${joiner}.${joiner}example`)).toBe(true)
  expect(isRisky(`می${joiner}خواهم`)).toBe(false)
})
