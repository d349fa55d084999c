import { dayIn, languageOf } from '../../platform/http/language.ts'
import type { Mail } from '../../platform/mailer.ts'
import type { Platform } from '../../platform/platform.ts'
import { composeMail, nameIn, textIn } from '../mails/mails.ts'
import { appealUntil } from './appeal-time.ts'
import type { Reader, SanctionRow } from './sanctions.queries.ts'
import { statementWords } from './statement-words.ts'

/**
 * The statement of reasons, in the person's app language: what is restricted and for how long, the facts as the
 * administrator wrote them, the rule, who decided, and how to appeal.
 */
export function statementMail(
  { config }: Pick<Platform, 'config'>,
  row: SanctionRow,
  { email, name, language: kept }: Reader,
): Mail {
  const language = languageOf(kept)
  const words = statementWords[language]
  const address = `${config.publicUrl ?? `http://localhost:${config.port}`}/standing`
  const effect = row.item_kind === 'photo' ? words.photoHidden : row.kind === 'shadow' ? '' : words.effects[row.kind]
  const paragraphs = [
    words.decided(dayIn(language, row.created_at)),
    words.means(row.ends_at ? `${effect} ${words.lasts(dayIn(language, row.ends_at))}` : effect),
    ...(row.undelivered ? [words.undelivered] : []),
    words.why(textIn(language, row.statement)),
    words.rule(words.rules[row.ground]),
    row.automated ? words.byItself : words.byPerson,
    { text: words.appeal(dayIn(language, appealUntil(row.created_at))), href: address, label: words.open },
    words.court,
  ]
  const greeting = words.hello(nameIn(language, name))
  return { to: email, ...composeMail(language, { subject: words.subject, greeting, paragraphs }) }
}
