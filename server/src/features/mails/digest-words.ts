import type { AppLanguage } from '@duet/contract/accounts.ts'
import type { NotificationKind } from '@duet/contract/notifications.ts'

type Line = (name: string, count: number) => string

export interface DigestWords {
  /** The same for everyone and every kind of news, so that it reveals only the app's name. */
  subject: string
  hello: (name: string) => string
  news: string
  /** Used when the email must not reveal any news. */
  something: string
  someone: string
  more: (count: number) => string
  open: string
  why: string
  stop: string
  settings: string
  lines: Record<NotificationKind, Line>
}

const en: DigestWords = {
  subject: 'You have news on Duet',
  hello: (name) => `Hello ${name},`,
  news: "Here's what's new:",
  something: "There's something new for you.",
  someone: 'Someone',
  more: (count) => `and ${count} more`,
  open: 'Open Duet',
  why: "You're getting this email because you chose to get news by email.",
  stop: 'Stop these emails',
  settings: 'Choose what you get',
  lines: {
    welcome: (name) => `Welcome, ${name}`,
    message: (name, count) => (count > 1 ? `${name} sent you ${count} messages` : `${name} messaged you`),
    nearby: (name) => `${name} is new nearby`,
    like: (name, count) => (count > 1 ? `${count} people like you` : `${name} likes you`),
    match: (name) => `It’s a match: you and ${name}`,
    photo_approved: () => 'Your photo was approved',
    photo_rejected: () => 'A photo wasn’t approved',
    new_sign_in: () => 'New sign-in',
    sanctioned: () => 'A decision about your account',
    sanction_lifted: () => 'One of your restrictions has ended',
    appeal_decided: () => 'We’ve decided your appeal',
    report_upheld: () => 'We acted on your report',
    report_dismissed: () => 'We reviewed your report',
    verification_approved: () => 'You’re verified',
    verification_rejected: () => 'We couldn’t verify you this time',
    verification_undecided: () => 'Please take another selfie',
    verification_lost: () => 'You’re no longer verified',
    date_check_in: () => 'Are you OK? Time to check in',
    address_changed: () => 'Your email address was changed',
    recovery_code_used: () => 'A recovery code was used',
    export_ready: () => 'Your data is ready',
  },
}

const es: DigestWords = {
  subject: 'Tienes novedades en Duet',
  hello: (name) => `Hola, ${name}:`,
  news: 'Esto es lo nuevo:',
  something: 'Hay algo nuevo para ti.',
  someone: 'Alguien',
  more: (count) => `y ${count} más`,
  open: 'Abrir Duet',
  why: 'Recibes este correo porque elegiste recibir novedades por correo.',
  stop: 'No recibir más estos correos',
  settings: 'Elegir qué recibes',
  lines: {
    welcome: (name) => `Te damos la bienvenida, ${name}`,
    message: (name, count) => (count > 1 ? `${name} te envió ${count} mensajes` : `${name} te escribió`),
    nearby: (name) => `${name} acaba de llegar cerca de ti`,
    like: (name, count) => (count > 1 ? `Le gustas a ${count} personas` : `Le gustas a ${name}`),
    match: (name) => `Es un match: ${name} y tú`,
    photo_approved: () => 'Tu foto fue aprobada',
    photo_rejected: () => 'Una foto no fue aprobada',
    new_sign_in: () => 'Nuevo inicio de sesión',
    sanctioned: () => 'Una decisión sobre tu cuenta',
    sanction_lifted: () => 'Una de tus restricciones ha terminado',
    appeal_decided: () => 'Hemos resuelto tu recurso',
    report_upheld: () => 'Actuamos a partir de tu denuncia',
    report_dismissed: () => 'Revisamos tu denuncia',
    verification_approved: () => 'Tu perfil está verificado',
    verification_rejected: () => 'Esta vez no pudimos verificarte',
    verification_undecided: () => 'Hazte otro selfi, por favor',
    verification_lost: () => 'Ya no tienes la insignia',
    date_check_in: () => '¿Estás bien? Confírmalo',
    address_changed: () => 'Se cambió tu dirección de correo',
    recovery_code_used: () => 'Se usó un código de recuperación',
    export_ready: () => 'Tus datos están listos',
  },
}

const arabicForm = new Intl.PluralRules('ar')

/** Picks the noun form that Arabic uses with a number: dual, plural for few, singular for many. */
function counted(count: number, two: string, few: string, many: string, hundreds: string): string {
  const form = arabicForm.select(count)
  if (form === 'two') return two
  return `${count} ${form === 'few' ? few : form === 'many' ? many : hundreds}`
}

const ar: DigestWords = {
  subject: 'لديك جديد في Duet',
  hello: (name) => `مرحبًا ${name}،`,
  news: 'إليك الجديد:',
  something: 'هناك جديد بانتظارك.',
  someone: 'أحدهم',
  more: (count) => `و${count} غيرها`,
  open: 'افتح Duet',
  why: 'تصلك هذه الرسالة لأنك اخترت تلقي الجديد بالبريد.',
  stop: 'إيقاف هذه الرسائل',
  settings: 'اختر ما يصلك',
  lines: {
    welcome: (name) => `أهلًا بك يا ${name}`,
    message: (name, count) =>
      count > 1 ? `${counted(count, 'رسالتان', 'رسائل', 'رسالة', 'رسالة')} من ${name}` : `رسالة من ${name}`,
    nearby: (name) => `${name} انضم حديثًا بالقرب منك`,
    like: (name, count) =>
      count > 1 ? `نلت إعجاب ${counted(count, 'شخصين', 'أشخاص', 'شخصًا', 'شخص')}` : `نلت إعجاب ${name}`,
    match: (name) => `حدث توافق بينك وبين ${name}`,
    photo_approved: () => 'تمت الموافقة على صورتك',
    photo_rejected: () => 'لم تتم الموافقة على إحدى صورك',
    new_sign_in: () => 'تسجيل دخول جديد',
    sanctioned: () => 'قرار بشأن حسابك',
    sanction_lifted: () => 'انتهى أحد القيود المفروضة عليك',
    appeal_decided: () => 'صدر القرار في تظلّمك',
    report_upheld: () => 'اتخذنا إجراءً بناءً على بلاغك',
    report_dismissed: () => 'راجعنا بلاغك',
    verification_approved: () => 'تم التحقق منك',
    verification_rejected: () => 'لم نتمكن من التحقق منك هذه المرة',
    verification_undecided: () => 'التقط سيلفي آخر من فضلك',
    verification_lost: () => 'فقدت شارتك',
    date_check_in: () => 'هل أنت بخير؟ حان وقت التأكيد',
    address_changed: () => 'تم تغيير بريدك الإلكتروني',
    recovery_code_used: () => 'تم استخدام رمز استرداد',
    export_ready: () => 'بياناتك جاهزة',
  },
}

export const digestWords: Record<AppLanguage, DigestWords> = { en, es, ar }
