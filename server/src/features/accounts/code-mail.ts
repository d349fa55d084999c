import type { AppLanguage } from '@duet/contract/accounts.ts'
import type { Mail } from '../../platform/mailer.ts'

const words: Record<AppLanguage, { subject: string; here: string; note: string }> = {
  en: {
    subject: 'Your Duet code',
    here: 'Here is your code for Duet:',
    note: 'It works for 10 minutes, and once. If you did not ask for it, leave it: nobody can sign in without it.',
  },
  es: {
    subject: 'Tu código de Duet',
    here: 'Este es tu código para Duet:',
    note: 'Sirve durante 10 minutos y una sola vez. Si no lo has pedido tú, no hagas nada: nadie puede entrar sin él.',
  },
  ar: {
    subject: 'رمزك في Duet',
    here: 'هذا رمزك للدخول إلى Duet:',
    note: 'يصلح الرمز لمدة 10 دقائق ولمرة واحدة فقط. إن لم تطلبه فتجاهل هذه الرسالة: لا أحد يستطيع الدخول من دونه.',
  },
}

/** A code on a line of its own, whatever the language: programs look for it there. */
export function codeMail(language: AppLanguage, code: string): Omit<Mail, 'to'> {
  const { subject, here, note } = words[language]
  return { subject, text: [here, code, note].join('\n\n').concat('\n') }
}
