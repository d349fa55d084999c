import type { AppLanguage } from '@duet/contract/accounts.ts'
import { cutText } from '@duet/contract/cut-text.ts'
import { signalsIn } from '@duet/contract/text-signals.ts'
import type { Mail } from '../../platform/mailer.ts'
import { htmlOf, type MailLink, type MailParts } from './mail-html.ts'

export type ComposedMail = Omit<Mail, 'to'>

const longestSubject = 120
/** Control characters, and marks that change the direction of the text after them. */
const unwanted = /[^\P{Cc}\n]|[\u202A-\u202E\u2066\u2067]/gu
const marks = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

const clean = (text: string) => text.replace(unwanted, '')
const oneLine = (text: string) => clean(text).replace(/\s+/g, ' ').trim()

function cleaned({ text, href, label }: MailLink): MailLink {
  const address = /^https?:\/\//.test(href) ? href.replace(/[\s<>"']/g, encodeURIComponent) : ''
  return { text: clean(text), href: address, ...(label !== undefined && { label: oneLine(label) }) }
}
const cleanPart = (part: string | MailLink) => (typeof part === 'string' ? clean(part) : cleaned(part))

const asText = (part: string | MailLink) =>
  typeof part === 'string' ? part : `${part.text || `${part.label}:`}\n${part.href}`

function textOf({ greeting, paragraphs: [first, ...rest], items = [], footer = [] }: MailParts): string {
  const list = items.map((item) => `- ${item}`).join('\n')
  const before = [...(greeting ? [greeting] : []), ...(first === undefined ? [] : [asText(first)])]
  const after = [...(list ? [list] : []), ...rest.map(asText)]
  return `${[...before, ...after, ...footer.map(asText)].join('\n\n')}\n`
}

/**
 * Composes an email as text and as HTML with the same content. Any part may contain what users wrote: it is escaped,
 * and stripped of characters that could break a header line or change the direction of the text around it.
 */
export function composeMail(language: AppLanguage, given: MailParts): ComposedMail & { html: string } {
  const parts: MailParts = {
    subject: cutText(oneLine(given.subject), longestSubject),
    preheader: oneLine(given.preheader ?? ''),
    ...(given.greeting && { greeting: oneLine(given.greeting) }),
    paragraphs: given.paragraphs.map(cleanPart),
    items: (given.items ?? []).map(oneLine),
    footer: (given.footer ?? []).map(cleanPart),
  }
  return { subject: parts.subject, text: textOf(parts), html: htmlOf(language, parts) }
}

/** A dot or another address character within a word, in any width: email programs turn such words into links. */
const addressLike = /[\p{L}\p{N}][.@:/。]+[\p{L}\p{N}]{2,}/u

/** Joiners, tags and other invisible characters, which could hide an address from this check. */
const unseen = /\p{Default_Ignorable_Code_Point}|\p{Cf}/gu

/** Whether an email program could turn a text into a link, or mistake it for a phone number or an offer. */
export function isRisky(written: string): boolean {
  const text = written.replace(unseen, '')
  return addressLike.test(text.normalize('NFKC')) || signalsIn(text).length > 0
}

const someone: Record<AppLanguage, string> = { en: 'Someone', es: 'Alguien', ar: 'أحدهم' }

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** A name within a text. It is isolated if its direction differs, so that it doesn't affect the words around it. */
export function nameIn(language: AppLanguage, name: string): string {
  const plain = oneLine(name.replace(marks, ''))
  return rightToLeft.test(plain) === (language === 'ar') ? plain : `\u2068${plain}\u2069`
}

/** A multi-line text that someone wrote, with each line isolated like a name. */
export const textIn = (language: AppLanguage, text: string): string =>
  text
    .split('\n')
    .map((line) => line && nameIn(language, line))
    .join('\n')

/** A stranger's name as an email may show it. A name that could be a link, a phone number or an offer is replaced. */
export const strangerIn = (language: AppLanguage, name: string): string =>
  isRisky(name) ? someone[language] : nameIn(language, name)
