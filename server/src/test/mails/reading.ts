import { authenticate } from 'mailauth'
import { fieldsOf } from '../mail-server.ts'

export interface ReadMail {
  subject: string
  text: string
  html: string
  oneClick: string | undefined
  faults: string[]
}

const unquoted = (text: string) =>
  text
    .replace(/=\r\n/g, '')
    .replace(/(?:=[0-9A-F]{2})+/g, (octets) => Buffer.from(octets.replaceAll('=', ''), 'hex').toString())

/** Decodes the encoded words of a header field (RFC 2047). */
const decoded = (value: string) =>
  value
    .replace(/\?= +=\?/g, '?==?')
    .replace(/=\?utf-8\?(q|b)\?([^?]*)\?=/gi, (_, way: string, words: string) =>
      way.toLowerCase() === 'b' ? Buffer.from(words, 'base64').toString() : unquoted(words.replaceAll('_', ' ')),
    )

const grammar: [string, RegExp][] = [
  ['from', /^Duet <no-reply@example\.org>$/],
  ['to', /^[^\s<>@,]+@example\.com$/],
  [
    'date',
    /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{1,2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d [+-]\d{4}$/,
  ],
  ['message-id', /^<[^<>@\s]+@example\.org>$/],
  ['mime-version', /^1\.0$/],
  ['auto-submitted', /^auto-generated$/],
  ['dkim-signature', /^v=1; a=rsa-sha256; c=relaxed\/relaxed; d=example\.org; /],
]
const grammarOfNews: [string, RegExp][] = [
  ['content-type', /^multipart\/alternative; boundary="[^"]+"$/],
  ['list-unsubscribe', /^<https:\/\/duet\.example\/api\/mail\/unsubscribe\?token=[\w-]+>$/],
  ['list-unsubscribe-post', /^List-Unsubscribe=One-Click$/],
]

function faultsOfLines(source: string, names: readonly string[]): string[] {
  return [
    ...(/^[\r\n\t -~]+$/.test(source) ? [] : ['is not all ASCII']),
    ...(/[^\r]\n|\r[^\n]/.test(source) ? ['breaks a line in another way than CRLF'] : []),
    ...(source.split('\r\n').some(({ length }) => length > 998) ? ['has a line that is too long'] : []),
    ...(new Set(names).size === names.length ? [] : ['has a field twice']),
    ...names.filter((name) => !/^[!-9;-~]+$/.test(name)).map((name) => `has a field called ${name}`),
  ]
}

function partsOf(source: string, type: string): { text: string; html: string; faults: string[] } {
  const boundary = /boundary="([^"]+)"/.exec(type)?.[1] ?? ''
  const [, ...parts] = source.split(`\r\n--${boundary}`)
  const of = (place: number) => {
    const [head = '', ...body] = (parts[place] ?? '').slice(2).split('\r\n\r\n')
    return { head, body: unquoted(body.join('\r\n\r\n')).replaceAll('\r\n', '\n') }
  }
  const isOf = (head: string, kind: string) =>
    new RegExp(`^Content-Type: text/${kind}; charset=utf-8$`, 'im').test(head) &&
    /^Content-Transfer-Encoding: quoted-printable$/im.test(head)
  const [text, html] = [of(0), of(1)]
  const isWhole =
    parts.length === 3 && parts[2]?.startsWith('--') && isOf(text.head, 'plain') && isOf(html.head, 'html')
  return { text: text.body, html: html.body, faults: isWhole ? [] : ['is not a text and the same in HTML'] }
}

export function readMail(source: string): ReadMail {
  const fields = new Map(fieldsOf(source).map(([name, value]) => [name.toLowerCase(), value]))
  const field = (name: string) => fields.get(name) ?? ''
  const isNews = fields.has('list-unsubscribe')
  const { text, html, faults } = isNews ? partsOf(source, field('content-type')) : { text: '', html: '', faults: [] }
  const rules = isNews ? [...grammar, ...grammarOfNews] : grammar
  return {
    subject: decoded(field('subject')),
    ...{ text, html, oneClick: /^<(.*)>$/.exec(field('list-unsubscribe'))?.[1] },
    faults: [
      ...faults,
      ...faultsOfLines(
        source,
        fieldsOf(source).map(([name]) => name.toLowerCase()),
      ),
      ...rules.filter(([name, rule]) => !rule.test(field(name))).map(([name]) => `has this ${name}: ${field(name)}`),
      ...(Math.abs(Date.parse(field('date')) - Date.now()) < 86_400_000 ? [] : ['is of another day']),
    ],
  }
}

const signedAtLeast = ['from', 'to', 'subject', 'date', 'message-id', 'content-type', 'auto-submitted', 'mime-version']

/** Finds faults in an email's signature (RFC 6376), which is verified with `record` instead of DNS. */
export async function faultsOfSignature(source: string, record: { name: string; text: string }): Promise<string[]> {
  const resolver = async (name: string, type: string) => {
    if (type === 'TXT' && name === record.name) return [record.text.match(/.{1,255}/g) ?? []]
    throw Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' })
  }
  const { dkim } = await authenticate(source, { resolver, disableArc: true, disableDmarc: true, disableBimi: true })
  const signature = fieldsOf(source).find(([name]) => name.toLowerCase() === 'dkim-signature')?.[1] ?? ''
  const signed = /\bh=([^;]*)/.exec(signature)?.[1]?.toLowerCase().replaceAll(' ', '').split(':') ?? []
  const news = /^List-Unsubscribe:/im.test(source) ? ['list-unsubscribe', 'list-unsubscribe-post'] : []
  const result = dkim.results.map(({ status }) => status.result).join()
  return [
    ...(result === 'pass' ? [] : [`is signed so that others say: ${result}`]),
    ...[...signedAtLeast, ...news].filter((name) => !signed.includes(name)).map((name) => `leaves ${name} unsigned`),
  ]
}
