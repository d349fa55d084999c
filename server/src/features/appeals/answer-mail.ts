import type { AppLanguage } from '@duet/contract/accounts.ts'
import { languageOf } from '../../platform/language.ts'
import type { Mail } from '../../platform/mailer.ts'
import type { Reader } from '../moderation/moderation.ts'

interface AnswerWords {
  subject: string
  hello: (name: string) => string
  looked: string
  reversed: string
  upheld: string
  court: string
}

const words: Record<AppLanguage, AnswerWords> = {
  en: {
    subject: 'Your appeal at Duet',
    hello: (name) => `Hello ${name},`,
    looked: 'your appeal was looked at by somebody else.',
    reversed: 'You were right: the decision is taken back.',
    upheld: 'The decision stays as it was.',
    court: 'You may also turn to a court.',
  },
  es: {
    subject: 'Tu recurso en Duet',
    hello: (name) => `Hola, ${name}:`,
    looked: 'Otra persona ha mirado tu recurso.',
    reversed: 'Tenías razón: la decisión queda revocada.',
    upheld: 'La decisión se mantiene.',
    court: 'También puedes acudir a los tribunales.',
  },
  ar: {
    subject: 'تظلّمك في Duet',
    hello: (name) => `مرحبًا ${name}،`,
    looked: 'نظر شخص آخر في تظلّمك.',
    reversed: 'كنت على حق: أُلغي القرار.',
    upheld: 'يبقى القرار كما كان.',
    court: 'ويمكنك أيضًا اللجوء إلى القضاء.',
  },
}

/** What became of an appeal, in the language its person reads Duet in; the answer as whoever decided wrote it. */
export function answerMail(
  { email, name, language }: Reader,
  { outcome, answer }: { outcome: 'upheld' | 'reversed'; answer: string },
): Mail {
  const said = words[languageOf(language)]
  const text = [said.hello(name), `${said.looked} ${said[outcome]}`, answer, said.court]
  return { to: email, subject: said.subject, text: `${text.join('\n\n')}\n` }
}
