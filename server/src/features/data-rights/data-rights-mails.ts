import type { AppLanguage } from '@duet/contract/accounts.ts'
import { dayIn } from '../../platform/http/language.ts'
import { type ComposedMail, composeMail } from '../mails/mails.ts'

interface Words {
  subject: string
  asked: (day: string) => readonly string[]
  unused: readonly string[]
}

const words: Record<AppLanguage, Words> = {
  en: {
    subject: 'Your Duet account will be deleted',
    asked: (day) => [
      `No one can see you on Duet any more. On ${day} we'll delete your profile, photos, messages and everything else for good.`,
      'You can change your mind until then: sign in and choose "Keep my account".',
      "Wasn't this you? Sign in right away, keep your account, and sign out all other devices.",
    ],
    unused: [
      'No one has signed in to your Duet account for almost two years.',
      "To keep it, sign in within the next four weeks. Otherwise we'll delete your profile, photos and messages for good.",
    ],
  },
  es: {
    subject: 'Tu cuenta de Duet se va a borrar',
    asked: (day) => [
      `Ya nadie puede verte en Duet. El ${day} borraremos para siempre tu perfil, tus fotos, tus mensajes y todo lo demás.`,
      'Hasta entonces puedes cambiar de idea: inicia sesión y elige «Conservar mi cuenta».',
      '¿No fuiste tú? Inicia sesión cuanto antes, conserva tu cuenta y cierra la sesión en todos los demás dispositivos.',
    ],
    unused: [
      'Hace casi dos años que nadie inicia sesión en tu cuenta de Duet.',
      'Para conservarla, inicia sesión en las próximas cuatro semanas. Si no, borraremos para siempre tu perfil, tus fotos y tus mensajes.',
    ],
  },
  ar: {
    subject: 'سيُحذف حسابك في Duet',
    asked: (day) => [
      `لم يعد أحد يراك في Duet. في ${day} يُحذف نهائيًا ملفك الشخصي وصورك ورسائلك وكل ما عداها.`,
      'يمكنك تغيير رأيك حتى ذلك اليوم: سجّل الدخول واختر «الإبقاء على حسابي».',
      'إن لم تطلب ذلك بنفسك فسجّل الدخول فورًا، واحتفظ بحسابك، وسجّل خروج كل الأجهزة الأخرى.',
    ],
    unused: [
      'لم يسجّل أحد الدخول إلى حسابك في Duet منذ ما يقارب عامين.',
      'إن أردت الاحتفاظ به فسجّل الدخول خلال الأسابيع الأربعة القادمة. وإن لم تفعل شيئًا حُذف ملفك الشخصي وصورك ورسائلك نهائيًا.',
    ],
  },
}

const mail = (language: AppLanguage, paragraphs: readonly string[]): ComposedMail =>
  composeMail(language, { subject: words[language].subject, paragraphs })

export const erasureMail = (language: AppLanguage, eraseAt: Date) =>
  mail(language, words[language].asked(dayIn(language, eraseAt)))

export const unusedMail = (language: AppLanguage) => mail(language, words[language].unused)
