import type { AppLanguage } from '@duet/contract/accounts.ts'
import { cutText } from '@duet/contract/cut-text.ts'
import type { NotificationKind } from '@duet/contract/notifications.ts'
import { type DigestWords, digestWords } from './digest-words.ts'
import { type ComposedMail, composeMail, isRisky, nameIn, strangerIn } from './mails.ts'

export interface DigestItem {
  kind: NotificationKind
  name?: string
  /** What they wrote. Shown only at level `text`. */
  text?: string
  count?: number
}

/** How much an email may reveal to bystanders: names and texts, names, or only that there is news. */
export type DigestLevel = 'text' | 'name' | 'none'

export interface Digest {
  name: string
  items: readonly DigestItem[]
  level: DigestLevel
  urls: { app: string; stop: string; settings: string }
}

const mostItems = 8
const longestText = 140
const order: readonly NotificationKind[] = ['match', 'message', 'like', 'nearby']
const inOrder = (items: readonly DigestItem[]) => [
  ...order.flatMap((wanted) => items.filter(({ kind }) => kind === wanted)),
  ...items.filter(({ kind }) => !order.includes(kind)),
]

/** A quoted text as one line; empty if it is risky (see `isRisky`). */
function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const cut = cutText(line, longestText)
  return line === '' || isRisky(line) ? '' : `“${cut === line ? line : `${cut}…`}”`
}

function lineOf(language: AppLanguage, words: DigestWords, item: DigestItem, level: DigestLevel): string {
  const { kind, name, text = '', count = 1 } = item
  const line = words.lines[kind](name === undefined ? words.someone : strangerIn(language, name), count)
  const quote = level === 'text' ? quoted(text) : ''
  return quote ? `${line}: ${nameIn(language, quote)}` : line
}

/**
 * Composes recent news into one email; undefined without news. The subject is generic unless `level` is `text` and
 * there is one item.
 */
export function composeDigest(language: AppLanguage, { name, items, level, urls }: Digest): ComposedMail | undefined {
  if (items.length === 0) return undefined
  const words = digestWords[language]
  const sorted = inOrder(items)
  const lines = sorted.slice(0, mostItems).map((item) => lineOf(language, words, item, level))
  const left = items.length - lines.length
  const tells = level !== 'none'
  const [first] = sorted
  const says = level === 'text' && first && items.length === 1
  return composeMail(language, {
    subject: says ? lineOf(language, words, first, 'name') : words.subject,
    // Inbox lists show the beginning of an email unless it has a preheader.
    preheader: level === 'text' ? lines.join(' · ') : words.something,
    greeting: words.hello(nameIn(language, name)),
    paragraphs: [tells ? words.news : words.something, { text: '', href: urls.app, label: words.open }],
    items: tells ? [...lines, ...(left > 0 ? [words.more(left)] : [])] : [],
    footer: [
      words.why,
      { text: '', href: urls.stop, label: words.stop },
      { text: '', href: urls.settings, label: words.settings },
    ],
  })
}
