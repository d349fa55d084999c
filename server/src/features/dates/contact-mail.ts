import type { AppLanguage } from '@duet/contract/accounts.ts'
import { languageOf } from '../../platform/http/language.ts'
import type { Mail } from '../../platform/mailer.ts'
import type { Platform } from '../../platform/platform.ts'
import { composeMail, strangerIn } from '../mails/mails.ts'
import { dateUrl, declineUrl } from './date-links.ts'
import type { MissedRow } from './dates.queries.ts'

interface Words {
  subject: string
  hello: string
  said: readonly string[]
  link: string
  open: string
  life: string
  decline: string
  stop: string
}

const words: Record<AppLanguage, (name: string) => Words> = {
  en: (name) => ({
    subject: `${name} hasn't checked in`,
    hello: 'Hello,',
    said: [
      `${name} is on a date and asked us to email you if they don't check in afterwards. They haven't checked in.`,
      "There may be a simple reason. Call or message them first. If you can't reach them and are worried, call the police.",
    ],
    link: "Where and when they planned to meet, and whether they've checked in since:",
    open: 'See where and when',
    life: 'The link works until a day after the date, or until they stop sharing it.',
    decline:
      "We send one email about each missed check-in, and delete your address when it's no longer needed. To stop all emails like this from Duet, no matter who gives your address:",
    stop: 'Stop these emails',
  }),
  es: (name) => ({
    subject: `${name} no ha confirmado que está bien`,
    hello: 'Hola:',
    said: [
      `${name} tiene una cita y nos pidió escribirte si después no confirmaba que está bien. No lo ha confirmado.`,
      'Puede haber un motivo sencillo: primero llama o escribe. Si no hay respuesta y te preocupa, llama a la policía.',
    ],
    link: 'Dónde y cuándo iba a ser, y si lo ha confirmado desde entonces:',
    open: 'Ver dónde y cuándo',
    life: 'El enlace funciona hasta un día después de la cita, o hasta que deje de compartirse.',
    decline:
      'Enviamos un solo correo por cada confirmación que falta y borramos tu dirección cuando ya no hace falta. Para no recibir más correos así de Duet, aunque alguien dé tu dirección:',
    stop: 'No recibir más estos correos',
  }),
  ar: (name) => ({
    subject: `لم يصل تأكيد من ${name}`,
    hello: 'مرحبًا،',
    said: [
      `لدى ${name} موعد، وقد طُلب منا إبلاغك إن لم يصلنا بعده ما يؤكد أن كل شيء بخير. لم يصلنا ذلك حتى الآن.`,
      'قد يكون السبب بسيطًا: اتصل أو اكتب أولًا. وإن لم يصلك رد وشعرت بالقلق فاتصل بالشرطة.',
    ],
    link: 'مكان الموعد ووقته، وهل وصل تأكيد بعد ذلك:',
    open: 'عرض المكان والوقت',
    life: 'يعمل الرابط حتى يوم بعد الموعد، أو حتى تنتهي المشاركة.',
    decline:
      'نرسل رسالة واحدة عن كل تأكيد لم يصل، ونحذف عنوانك حين لا تعود حاجة إليه. لإيقاف كل الرسائل المشابهة من Duet، أيًّا كان من أعطى عنوانك:',
    stop: 'إيقاف هذه الرسائل',
  }),
}

/**
 * The email to a contact: a first name, the link, and how to decline further emails. In the owner's language, because
 * the contact's is unknown.
 */
export function contactMail(platform: Platform, row: MissedRow): Mail {
  const language = languageOf(row.language)
  const { subject, hello, said, life, ...links } = words[language](strangerIn(language, row.name))
  const paragraphs = [...said, { text: links.link, href: dateUrl(platform, row), label: links.open }, life]
  const footer = [{ text: links.decline, href: declineUrl(platform, row.contact_email), label: links.stop }]
  const mail = composeMail(language, { subject, greeting: hello, paragraphs, footer })
  return { kind: 'contact', to: row.contact_email, ...mail }
}
