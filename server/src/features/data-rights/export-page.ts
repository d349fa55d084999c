import type { AppLanguage } from '@duet/contract/accounts.ts'
import { by } from '@duet/contract/order.ts'
import type { ExportedRow } from './export.queries.ts'
import type { Content } from './export-content.ts'
import { exportWords } from './export-words.ts'

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const text = (value: unknown) => String(value ?? '').replace(/[&<>"']/g, (sign) => signs[sign] ?? '')
const listed = (value: unknown) => (Array.isArray(value) ? value.join(', ') : value)

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
h1,h2{line-height:1.2}h2{margin-top:2.5rem;border-bottom:1px solid #ddd;padding-bottom:.3rem}
dl{display:grid;grid-template-columns:minmax(8rem,auto) 1fr;gap:.3rem 1rem}dt{color:#666}dd{margin:0;white-space:pre-wrap}
table{width:100%;border-collapse:collapse}th,td{text-align:start;padding:.3rem .6rem;border-bottom:1px solid #eee;vertical-align:top;white-space:pre-wrap}
img{max-width:10rem;border-radius:.5rem;margin:.2rem}p.line{margin:.3rem 0;white-space:pre-wrap}time,small{color:#666}`

function speaking(language: AppLanguage) {
  const words = exportWords[language]
  return {
    words,
    moment(value: unknown): string {
      if (!value) return ''
      const date = new Date(value instanceof Date ? value : String(value))
      const told = date.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
      return `<time datetime="${date.toISOString()}">${text(told)} UTC</time>`
    },
    who: (row: ExportedRow) => text(row.with ?? words.someone),
    section: (title: string, body: string) =>
      `<section><h2>${text(title)}</h2>${body || `<p>${text(words.nothing)}</p>`}</section>`,
  }
}
type Speaking = ReturnType<typeof speaking>

function table(heads: string[], lines: string[][]): string {
  if (lines.length === 0) return ''
  const row = (cells: string[], tag: 'th' | 'td') =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`
  const body = lines.map((line) => row(line, 'td')).join('')
  return `<table><thead>${row(heads.map(text), 'th')}</thead><tbody>${body}</tbody></table>`
}

function aboutOf({ account: [account = {}] = [], profile: [profile = {}] = [] }: Content, { words, moment }: Speaking) {
  const facts: [string, unknown][] = [
    [words.name, profile.name],
    [words.email, account.email],
    [words.birthDate, profile.birthDate],
    [words.gender, [profile.gender, profile.genderText].filter(Boolean)],
    [words.pronouns, profile.pronouns],
    [words.bio, profile.bio],
    [words.intents, profile.intents],
    [words.interests, profile.interests],
    [words.languages, profile.languages],
    [words.interestedIn, profile.interestedIn],
  ]
  const told = facts.map(([label, value]) => `<dt>${text(label)}</dt><dd>${text(listed(value))}</dd>`).join('')
  return `<dl>${told}<dt>${text(words.since)}</dt><dd>${moment(account.createdAt)}</dd></dl>`
}

interface TakenAway {
  body?: string
  name?: string
  genderText?: string
  pronouns?: string
  bio?: string
  prompts?: { answer: string }[]
  descriptions?: Record<string, string>
}

function wordsOf(taken: unknown): string[] {
  const { body, name, genderText, pronouns, bio, prompts = [], descriptions = {} } = (taken ?? {}) as TakenAway
  const words = [body, name, genderText, pronouns, bio, ...prompts.map(({ answer }) => answer)]
  return [...words, ...Object.values(descriptions)].flatMap((one) => one || [])
}

function sectionsOf(content: Content, speech: Speaking): string[] {
  const { words, moment, who, section } = speech
  const rows = (as: string) => content[as] ?? []
  const withPerson = (as: string, what: (row: ExportedRow) => unknown, when: string, person = who) =>
    table(
      [words.who, words.what, words.when],
      rows(as).map((row) => [person(row), text(what(row)), moment(row[when])]),
    )
  const plain = (as: string, what: (row: ExportedRow) => unknown, when: string) =>
    table(
      [words.what, words.when],
      rows(as).map((row) => [text(what(row)), moment(row[when])]),
    )
  const photos = rows('photos').map((row) => `<img src="photos/${text(row.fileName)}" alt="${text(row.alt)}">`)
  const areas = rows('location').map((row) => `<p>${text(row.area)}</p>`)
  const sections: [title: string, body: string][] = [
    [words.you, aboutOf(content, speech)],
    [words.photos, photos.join('')],
    [words.place, areas.join('')],
    [words.matches, withPerson('matches', () => '', 'matchedAt')],
    [words.decisions, withPerson('decisions', (row) => row.decision, 'decidedAt')],
    [words.likesReceived, withPerson('likesReceived', (row) => row.comment, 'decidedAt')],
    [words.messages, conversations(content, { ...words, who, moment })],
    [words.blocks, withPerson('blocks', () => '', 'createdAt')],
    [
      words.reports,
      withPerson(
        'reports',
        (row) => row.reason,
        'createdAt',
        (row) => text(row.reportedName),
      ),
    ],
    [
      words.sanctions,
      plain('sanctions', (row) => [`${row.kind}: ${row.statement}`, ...wordsOf(row.takenAway)].join('\n'), 'createdAt'),
    ],
    [words.consents, plain('consents', (row) => row.purpose, 'grantedAt')],
    [words.sessions, plain('sessions', (row) => row.device, 'lastSeenAt')],
  ]
  return sections.map(([title, body]) => section(title, body))
}

/**
 * The HTML page of an export. It has no scripts and loads nothing from other sites. Its content security policy would
 * block both even if a text weren't escaped. The files it links to are in the same archive.
 */
export function exportPage(content: Content, { language, madeAt }: { language: AppLanguage; madeAt: string }): string {
  const speech = speaking(language)
  const { words, moment } = speech
  return `<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="content-security-policy" content="default-src 'none';img-src 'self' file:;media-src 'self' file:;style-src 'unsafe-inline'">
<title>${text(words.title)}</title><style>${style}</style></head>
<body><h1>${text(words.title)}</h1><p>${text(words.madeAt)} ${moment(madeAt)}</p><p>${text(words.intro)}</p>
${sectionsOf(content, speech).join('\n')}
</body></html>
`
}

interface Telling {
  me: string
  file: string
  who(row: ExportedRow): string
  moment(value: unknown): string
}

function conversations(
  { messagesSent = [], messagesReceived = [], attachments = [] }: Content,
  telling: Telling,
): string {
  const files = new Map(attachments.map((row) => [row.id, row.fileName]))
  const lines = [
    ...messagesSent.map((row) => ({ row, from: text(telling.me) })),
    ...messagesReceived.map((row) => ({ row, from: telling.who(row) })),
  ]
  const byConversation = new Map<unknown, typeof lines>()
  for (const line of lines) {
    const known = byConversation.get(line.row.conversationId)
    if (known) known.push(line)
    else byConversation.set(line.row.conversationId, [line])
  }
  return [...byConversation.values()]
    .map((all) => {
      const ordered = all.sort(by(({ row }) => Number(row.seq)))
      const said = ordered.map(({ row, from }) => {
        const file = files.get(row.attachmentId)
        const link = file ? ` <a href="messages/${text(file)}">${text(telling.file)}</a>` : ''
        return `<p class="line"><small>${from}, ${telling.moment(row.sentAt)}</small><br>${text(row.body)}${link}</p>`
      })
      return `<h3>${telling.who(ordered[0]?.row ?? {})}</h3>${said.join('')}`
    })
    .join('')
}
