import type { AppLanguage } from '@duet/contract/accounts.ts'
import { signalsIn } from '@duet/contract/text-signals.ts'
import { languageOf } from '../../platform/http/language.ts'
import type { Mail } from '../../platform/mailer.ts'
import type { Platform } from '../../platform/platform.ts'
import { dateUrl, declineUrl } from './date-links.ts'
import type { MissedRow } from './dates.queries.ts'

interface Words {
  subject: string
  /** What happened, and what to do. */
  said: readonly string[]
  link: string
  life: string
  decline: string
}

const words: Record<AppLanguage, (name: string) => Words> = {
  en: (name) => ({
    subject: `${name} hasn't checked in`,
    said: [
      'Hello,',
      `${name} is on a date and asked us to email you if they don't check in afterwards. They haven't checked in.`,
      "There may be a simple reason. Call or message them first. If you can't reach them and are worried, call the police.",
    ],
    link: "Where and when they planned to meet, and whether they've checked in since:",
    life: 'The link works until a day after the date, or until they stop sharing it.',
    decline:
      "This is the only email about this date, and we've now deleted your address. To stop all emails like this from Duet, no matter who gives your address:",
  }),
  es: (name) => ({
    subject: `${name} no ha confirmado que está bien`,
    said: [
      'Hola:',
      `${name} tiene una cita y nos pidió escribirte si después no confirmaba que está bien. No lo ha confirmado.`,
      'Puede haber un motivo sencillo: primero llama o escribe. Si no hay respuesta y te preocupa, llama a la policía.',
    ],
    link: 'Dónde y cuándo iba a ser, y si lo ha confirmado desde entonces:',
    life: 'El enlace funciona hasta un día después de la cita, o hasta que deje de compartirse.',
    decline:
      'Este es el único correo sobre esta cita, y ya hemos borrado tu dirección. Para no recibir más correos así de Duet, aunque alguien dé tu dirección:',
  }),
  ar: (name) => ({
    subject: `لم يصل تأكيد من ${name}`,
    said: [
      'مرحبًا،',
      `لدى ${name} موعد، وقد طُلب منا إبلاغك إن لم يصلنا بعده ما يؤكد أن كل شيء بخير. لم يصلنا ذلك حتى الآن.`,
      'قد يكون السبب بسيطًا: اتصل أو اكتب أولًا. وإن لم يصلك رد وشعرت بالقلق فاتصل بالشرطة.',
    ],
    link: 'مكان الموعد ووقته، وهل وصل تأكيد بعد ذلك:',
    life: 'يعمل الرابط حتى يوم بعد الموعد، أو حتى تنتهي المشاركة.',
    decline:
      'هذه هي الرسالة الوحيدة عن هذا الموعد، وقد حذفنا عنوانك. لإيقاف كل الرسائل المشابهة من Duet، أيًّا كان من أعطى عنوانك:',
  }),
}

const someone: Record<AppLanguage, string> = { en: 'Someone', es: 'Alguien', ar: 'أحدهم' }

/** A dot or a sign of an address within a word, in any of the widths that mail programs make links of. */
const addressLike = /[\p{L}\p{N}][.@:/。]+[\p{L}\p{N}]{2,}/u

/** A name as a stranger's mail may have it: not one that reads as a link, a number or an offer. */
function nameInMail(name: string, language: AppLanguage): string {
  return addressLike.test(name.normalize('NFKC')) || signalsIn(name).length > 0 ? someone[language] : name
}

/**
 * What a contact reads: a first name, the link, and how to hear no more. In the language of who trusts them: of the
 * contact nothing is known.
 */
export function contactMail(platform: Platform, row: MissedRow): Mail {
  const language = languageOf(row.language)
  const { subject, said, link, life, decline } = words[language](nameInMail(row.name, language))
  const links = [`${link}\n${dateUrl(platform, row)}`, life, `${decline}\n${declineUrl(platform, row.contact_email)}`]
  return { to: row.contact_email, subject, text: `${[...said, ...links].join('\n\n')}\n` }
}
