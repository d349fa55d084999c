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

const changeWords: typeof words = {
  en: {
    subject: 'Confirm your new Duet address',
    here: 'Here is the code to use this address for your Duet account:',
    note: "It's valid for 10 minutes and works once. Didn't ask for it? You can ignore this email: nothing changes without the code. Give it to no one.",
  },
  es: {
    subject: 'Confirma tu nueva dirección en Duet',
    here: 'Este es el código para usar esta dirección en tu cuenta de Duet:',
    note: 'Es válido durante 10 minutos y una sola vez. ¿No lo pediste tú? Ignora este correo: sin el código no cambia nada. No se lo des a nadie.',
  },
  ar: {
    subject: 'أكّد عنوانك الجديد في Duet',
    here: 'هذا رمز استخدام هذا العنوان لحسابك في Duet:',
    note: 'صلاحيته 10 دقائق ويعمل مرة واحدة. إن لم تطلبه فتجاهل هذه الرسالة: لا يتغيّر شيء من دونه. لا تعطه لأحد.',
  },
}

/** In every language the code has its own line, where programs look for it. */
export const codeMail = (language: AppLanguage, code: string) => mailOf(words[language], code)

export const changeMail = (language: AppLanguage, code: string) => mailOf(changeWords[language], code)

function mailOf({ subject, here, note }: (typeof words)['en'], code: string): Omit<Mail, 'to'> {
  return { subject, text: [here, code, note].join('\n\n').concat('\n') }
}
