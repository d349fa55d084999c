import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const shown = 50
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const asText = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? '')

interface OutboxMail {
  to: string
  subject: string
  text: string
}

function unquote(text: string, encoding: string): string {
  if (/base64/i.test(encoding)) return Buffer.from(text, 'base64').toString()
  if (!/quoted-printable/i.test(encoding)) return text
  const joined = text.replace(/=\r?\n/g, '')
  return decodeBytes(
    joined.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  )
}

const decodeBytes = (text: string) => Buffer.from(text, 'latin1').toString()

// Decodes a non-ASCII subject: =?UTF-8?Q?…?= or =?UTF-8?B?…?=, possibly several in a row.
function decodeHeader(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, body: string) =>
      kind.toLowerCase() === 'b' ? unquote(body, 'base64') : unquote(body.replaceAll('_', ' '), 'quoted-printable'),
    )
}

function parse(source: string) {
  const end = source.search(/\r?\n\r?\n/)
  const head = source.slice(0, end).replace(/\r?\n[ \t]+/g, ' ')
  const header = (name: string) => new RegExp(`^${name}: *(.*)$`, 'im').exec(head)?.[1] ?? ''
  return { header, body: source.slice(end).trim() }
}

export function readMail(source: string): OutboxMail {
  const { header, body } = parse(source)
  const boundary = /boundary="([^"]+)"/.exec(header('Content-Type'))?.[1]
  const plain = boundary === undefined ? { header, body } : parse((body.split(`--${boundary}`)[1] ?? '').trim())
  const text = unquote(plain.body, plain.header('Content-Transfer-Encoding'))
  return { to: decodeHeader(header('To')), subject: decodeHeader(header('Subject')), text }
}

export async function readOutbox(folder: string): Promise<OutboxMail[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^\d.*\.eml$/.test(name))
  const newest = names.sort().reverse().slice(0, shown)
  return Promise.all(
    newest.map(async (name) => readMail(await readFile(join(folder, name), 'latin1').then(decodeBytes))),
  )
}

function mailHtml({ to, subject, text }: OutboxMail): string {
  const code = /^\d{8}$/m.exec(text)?.[0]
  return `<article><p class="to">${asText(to)}</p><h2>${asText(subject)}</h2>${
    code ? `<p class="code">${code}</p>` : ''
  }<pre>${asText(text)}</pre></article>`
}

export function mailPage(mails: OutboxMail[]): string {
  const list =
    mails.length > 0 ? mails.map(mailHtml).join('') : '<p>No emails yet. New ones appear here automatically.</p>'
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta http-equiv="refresh" content="4"><title>Mail · Duet</title><link rel="stylesheet" href="/dev/mail.css"></head><body><main><h1>Mail</h1><p class="note">Every email Duet would send. Only the demo has this page.</p>${list}</main></body></html>`
}

export const mailCss = `:root { color-scheme: light dark; --paper: #faf6f0; --surface: #fff; --ink: #221c18; --ink-2: #675d55; --line: #e6dccf; }
@media (prefers-color-scheme: dark) { :root { --paper: #15110e; --surface: #1f1a16; --ink: #f3ebe2; --ink-2: #b9ada1; --line: #372e27; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 Figtree, system-ui, sans-serif; }
main { max-width: 40rem; margin: 0 auto; padding: 2rem 1rem; }
h1, h2 { font-family: Fraunces, Georgia, serif; font-weight: 500; margin: 0 0 .5rem; }
article { background: var(--surface); border: 1px solid var(--line); border-radius: 16px; padding: 1.25rem; margin: 1rem 0; }
.to, .note { color: var(--ink-2); margin: 0 0 .25rem; overflow-wrap: anywhere; }
.code { font-size: 2.5rem; font-variant-numeric: tabular-nums; letter-spacing: .08em; margin: .25rem 0; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; margin: 0; }
`
