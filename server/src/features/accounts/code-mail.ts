import type { AppLanguage } from '@duet/contract/accounts.ts'
import type { Mail } from '../../platform/mailer.ts'

const words: Record<AppLanguage, { subject: string; here: string; note: string }> = {
  en: {
    subject: 'Your Duet code',
    here: 'Here is your code for Duet:',
    note: "It's valid for 10 minutes and works once. Didn't ask for it? You can ignore this email: no one can sign in without the code.",
  },
  es: {
    subject: 'Tu código de Duet',
    here: 'Este es tu código para Duet:',
    note: 'Es válido durante 10 minutos y una sola vez. ¿No lo pediste tú? Ignora este correo: nadie puede entrar sin el código.',
  },
  ar: {
    subject: 'رمزك في Duet',
    here: 'هذا رمزك للدخول إلى Duet:',
    note: 'صلاحيته 10 دقائق ويعمل مرة واحدة. إن لم تطلبه فتجاهل هذه الرسالة: لا أحد يستطيع الدخول من دونه.',
  },
}

/** A code on a line of its own, whatever the language: programs look for it there. */
export function codeMail(language: AppLanguage, code: string): Omit<Mail, 'to'> {
  const { subject, here, note } = words[language]
  return { subject, text: [here, code, note].join('\n\n').concat('\n') }
}
