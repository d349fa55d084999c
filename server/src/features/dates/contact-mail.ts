import type { AppLanguage } from '@duet/contract/accounts.ts'
import { languageOf } from '../../platform/language.ts'
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
    subject: `${name} has not checked in`,
    said: [
      'Hello,',
      `${name} is on a date, and wanted you to know in case they do not check in afterwards. They have not checked in.`,
      'That may have a simple reason: call or write to them first. If you cannot reach them and are worried, call the police.',
    ],
    link: 'Where and when they wanted to be, and whether they have checked in since:',
    life: 'The link works until a day after the date, or until they end it.',
    decline:
      'This is the only mail about this date, and your address is deleted now. If you want no such mails from Duet, whoever gives your address:',
  }),
  es: (name) => ({
    subject: `${name} no ha confirmado que está bien`,
    said: [
      'Hola:',
      `${name} tiene una cita y quería que lo supieras si después no confirmaba que está bien. No lo ha confirmado.`,
      'Puede haber un motivo sencillo: primero llama o escribe. Si no hay respuesta y te preocupa, llama a la policía.',
    ],
    link: 'Dónde y cuándo iba a ser, y si lo ha confirmado desde entonces:',
    life: 'El enlace funciona hasta un día después de la cita, o hasta que deje de compartirse.',
    decline:
      'Este es el único correo sobre esta cita, y tu dirección se borra ahora. Si no quieres correos así de Duet, dé quien dé tu dirección:',
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
      'هذه هي الرسالة الوحيدة عن هذا الموعد، ويُحذف عنوانك الآن. إن كنت لا تريد رسائل كهذه من Duet، أيًّا كان من أعطى عنوانك:',
  }),
}

/**
 * What a contact reads: a first name, the link, and how to hear no more. In the language of who trusts them: of the
 * contact nothing is known.
 */
export function contactMail(platform: Platform, row: MissedRow): Mail {
  const { subject, said, link, life, decline } = words[languageOf(row.language)](row.name)
  const links = [`${link}\n${dateUrl(platform, row)}`, life, `${decline}\n${declineUrl(platform, row.contact_email)}`]
  return { to: row.contact_email, subject, text: `${[...said, ...links].join('\n\n')}\n` }
}
