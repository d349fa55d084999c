import type { AppLanguage } from '@duet/contract/accounts.ts'
import { languageOf } from '../../platform/http/language.ts'
import { retryAt } from '../../platform/jobs/retry-at.ts'
import type { Platform } from '../../platform/platform.ts'
import { composeMail, nameIn } from '../mails/mails.ts'
import { mailPerson } from '../mails/sending.ts'
import { noteKeyMailed } from '../notifications/notifications.ts'
import { isAnswered, keyOfDate } from './check-in.ts'
import { findAsked } from './dates.queries.ts'

interface Words {
  subject: string
  hello: (name: string) => string
  said: string
  /** Says that the contact will be emailed if the person doesn't answer. */
  contact: string
  link: string
  open: string
}

/** The subject may be visible on a locked screen, so it mentions neither a name nor a date. */
const words: Record<AppLanguage, Words> = {
  en: {
    subject: 'Are you OK? Time to check in',
    hello: (name) => `Hello ${name},`,
    said: 'You asked us to check in with you. If all is well, open Duet and tap “I’m OK”.',
    contact: "If you don't answer within half an hour, we'll email the contact you chose.",
    link: 'Answer here:',
    open: 'Check in',
  },
  es: {
    subject: '¿Estás bien? Es hora de confirmarlo',
    hello: (name) => `Hola, ${name}:`,
    said: 'Nos pediste que te preguntáramos si estás bien. Si es así, abre Duet y pulsa «Estoy bien».',
    contact: 'Si no respondes en media hora, escribiremos al contacto que elegiste.',
    link: 'Responde aquí:',
    open: 'Confirmar',
  },
  ar: {
    subject: 'هل أنت بخير؟ حان وقت التأكيد',
    hello: (name) => `مرحبًا ${name}،`,
    said: 'طلبت منا أن نطمئن عليك. إن كان كل شيء على ما يرام فافتح Duet واضغط «أنا بخير».',
    contact: 'إن لم تجب خلال نصف ساعة فسنراسل جهة الاتصال التي اخترتها.',
    link: 'أجب هنا:',
    open: 'تأكيد',
  },
}

/**
 * Emails a person that their check-in is due, regardless of their notification settings. The job retries until the mail
 * server accepts the email, unless they have answered, or moved or ended the date.
 */
export async function mailCheckIn(platform: Platform, id: string): Promise<void> {
  const { db, clock, config, jobs, log } = platform
  const row = await findAsked(db, id, clock.now())
  if (!row || isAnswered(row)) return
  const language = languageOf(row.language)
  const { subject, hello, said, contact, link, open } = words[language]
  const href = `${config.publicUrl ?? `http://localhost:${config.port}`}/dates`
  const paragraphs = [said, ...(row.contact_email === null ? [] : [contact]), { text: link, href, label: open }]
  const mail = composeMail(language, { subject, greeting: hello(nameIn(language, row.name)), paragraphs })
  try {
    await mailPerson(platform, row.user_id, { to: row.email, ...mail })
  } catch (err) {
    log.warn({ err }, 'a check-in question could not be mailed; it will be retried')
    const runAt = retryAt(clock.now(), row.asked_at)
    return jobs.add('mail-check-in', { id }, { key: `check-in:${id}`, runAt })
  }
  await noteKeyMailed(platform, row.user_id, keyOfDate(id))
}
