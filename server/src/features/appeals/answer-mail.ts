import type { AppLanguage } from '@duet/contract/accounts.ts'
import { languageOf } from '../../platform/http/language.ts'
import type { Mail } from '../../platform/mailer.ts'
import { composeMail, nameIn, textIn } from '../mails/mails.ts'
import type { Reader } from '../sanctions/sanctions.queries.ts'

interface AnswerWords {
  subject: string
  hello: (name: string) => string
  looked: string
  /** Used when an administrator, perhaps the one who made the decision, ended it early. */
  lifted: string
  reversed: string
  upheld: string
  court: string
}

const words: Record<AppLanguage, AnswerWords> = {
  en: {
    subject: 'Your appeal on Duet',
    hello: (name) => `Hello ${name},`,
    looked: 'someone else has reviewed your appeal.',
    lifted: 'we have reviewed the decision again.',
    reversed: 'You were right: the decision has been reversed.',
    upheld: 'The decision stays.',
    court: 'You can also go to court.',
  },
  es: {
    subject: 'Tu recurso en Duet',
    hello: (name) => `Hola, ${name}:`,
    looked: 'Otra persona ha revisado tu recurso.',
    lifted: 'Hemos vuelto a revisar la decisión.',
    reversed: 'Tenías razón: la decisión queda revocada.',
    upheld: 'La decisión se mantiene.',
    court: 'También puedes acudir a los tribunales.',
  },
  ar: {
    subject: 'تظلّمك في Duet',
    hello: (name) => `مرحبًا ${name}،`,
    looked: 'راجع شخص آخر تظلّمك.',
    lifted: 'أعدنا النظر في القرار.',
    reversed: 'كنت على حق: أُلغي القرار.',
    upheld: 'يبقى القرار كما كان.',
    court: 'ويمكنك أيضًا اللجوء إلى القضاء.',
  },
}

export function answerMail(
  { email, name, language }: Reader,
  { outcome, answer, byLifting }: { outcome: 'upheld' | 'reversed'; answer: string; byLifting: boolean },
): Mail {
  const ours = languageOf(language)
  const said = words[ours]
  const paragraphs = [
    `${byLifting ? said.lifted : said.looked} ${said[outcome]}`,
    ...(answer ? [textIn(ours, answer)] : []),
    said.court,
  ]
  const greeting = said.hello(nameIn(ours, name))
  return { to: email, ...composeMail(ours, { subject: said.subject, greeting, paragraphs }) }
}
