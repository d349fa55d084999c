import type { AppLanguage } from '@duet/contract/accounts.ts'
import type { Ground, SanctionKind } from '@duet/contract/sanctions.ts'

/** All that a statement of reasons says besides the facts, which whoever decided has written. */
interface StatementWords {
  subject: string
  hello: (name: string) => string
  decided: (day: string) => string
  means: (effect: string) => string
  lasts: (day: string) => string
  why: (statement: string) => string
  rule: (rule: string) => string
  byItself: string
  byPerson: string
  appeal: (day: string, address: string) => string
  court: string
  /** What a sanction does, said to whom it does it. */
  effects: Record<Exclude<SanctionKind, 'shadow'>, string>
  rules: Record<Ground, string>
}

const closed = {
  en: 'Nobody sees you, and you can only sign in to read this, to appeal, and to export or erase your data.',
  es: 'Nadie te ve, y solo puedes entrar para leer esto, recurrir, y exportar o eliminar tus datos.',
  ar: 'لا يراك أحد، ولا يمكنك الدخول إلا لقراءة هذا والتظلّم وتصدير بياناتك أو حذفها.',
}

const en: StatementWords = {
  subject: 'A decision about your Duet account',
  hello: (name) => `Hello ${name},`,
  decided: (day) => `a decision was made about your account on Duet on ${day}.`,
  means: (effect) => `What it means: ${effect}`,
  lasts: (day) => `It lasts until ${day}.`,
  why: (statement) => `Why: ${statement}`,
  rule: (rule) => `The rule: ${rule}`,
  byItself: 'It was decided automatically.',
  byPerson: 'It was decided by a person, not automatically.',
  appeal: (day, address) =>
    `If you think it is wrong, you can appeal until ${day}, free of charge; somebody else will look at it: ${address}`,
  court: 'You may also turn to a court.',
  effects: {
    warning: 'This is a warning. Nothing is restricted.',
    item_removed: 'What broke the rules was removed. Nothing else is restricted.',
    restriction: 'You can read and answer, but not like anybody or begin new conversations.',
    suspension: closed.en,
    ban: closed.en,
    reporting_restriction: 'You cannot report anybody. Blocking works as before.',
  },
  rules: {
    underage: 'People under 18 may not be here.',
    threats: 'Nobody may threaten anybody.',
    sextortion: 'Nobody may be blackmailed with pictures or secrets.',
    scam: 'Nobody may ask for money or deceive others for gain.',
    fake_profile: 'A profile shows the person it belongs to.',
    harassment: 'Nobody may be harassed or insulted.',
    hate: 'Nobody may be degraded for what they are.',
    sexual_content: 'Nobody is shown sexual content they did not ask for.',
    offline_harm: 'Nobody may be harmed, here or where people meet.',
    spam: 'Nobody may advertise or send the same to many.',
    evasion: 'A decision may not be evaded with another account.',
    false_reports: 'Nobody may be reported for what they did not do.',
    other: 'The rules of the community, as explained above.',
  },
}

const es: StatementWords = {
  subject: 'Una decisión sobre tu cuenta de Duet',
  hello: (name) => `Hola, ${name}:`,
  decided: (day) => `El ${day} se tomó una decisión sobre tu cuenta de Duet.`,
  means: (effect) => `Qué significa: ${effect}`,
  lasts: (day) => `Dura hasta el ${day}.`,
  why: (statement) => `Por qué: ${statement}`,
  rule: (rule) => `La norma: ${rule}`,
  byItself: 'Se decidió automáticamente.',
  byPerson: 'Lo decidió una persona, no se decidió automáticamente.',
  appeal: (day, address) =>
    `Si crees que es un error, puedes recurrir hasta el ${day} y no cuesta nada; lo mirará otra persona: ${address}`,
  court: 'También puedes acudir a los tribunales.',
  effects: {
    warning: 'Es una advertencia. No se restringe nada.',
    item_removed: 'Se retiró lo que incumplía las normas. No se restringe nada más.',
    restriction: 'Puedes leer y responder, pero no dar me gusta ni empezar conversaciones.',
    suspension: closed.es,
    ban: closed.es,
    reporting_restriction: 'No puedes denunciar a nadie. Bloquear funciona como antes.',
  },
  rules: {
    underage: 'Las personas menores de 18 años no pueden estar aquí.',
    threats: 'Nadie puede amenazar a nadie.',
    sextortion: 'Nadie puede ser chantajeado con imágenes o secretos.',
    scam: 'Nadie puede pedir dinero ni engañar a otros para lucrarse.',
    fake_profile: 'Un perfil muestra a la persona a quien pertenece.',
    harassment: 'Nadie puede ser acosado ni insultado.',
    hate: 'Nadie puede ser degradado por lo que es.',
    sexual_content: 'A nadie se le muestra contenido sexual que no pidió.',
    offline_harm: 'Nadie puede sufrir daño, ni aquí ni al quedar.',
    spam: 'Nadie puede anunciar ni enviar lo mismo a muchas personas.',
    evasion: 'Una decisión no se elude con otra cuenta.',
    false_reports: 'Nadie puede ser denunciado por lo que no hizo.',
    other: 'Las normas de la comunidad, como se explica arriba.',
  },
}

const ar: StatementWords = {
  subject: 'قرار بشأن حسابك في Duet',
  hello: (name) => `مرحبًا ${name}،`,
  decided: (day) => `اتُّخذ قرار بشأن حسابك في Duet بتاريخ ${day}.`,
  means: (effect) => `ما يعنيه ذلك: ${effect}`,
  lasts: (day) => `يستمر هذا حتى ${day}.`,
  why: (statement) => `السبب: ${statement}`,
  rule: (rule) => `القاعدة: ${rule}`,
  byItself: 'اتُّخذ القرار آليًا.',
  byPerson: 'اتخذ القرار شخص، لا آليًا.',
  appeal: (day, address) => `إن كنت ترى أنه خاطئ فيمكنك التظلّم حتى ${day} بلا مقابل، وسينظر فيه شخص آخر: ${address}`,
  court: 'ويمكنك أيضًا اللجوء إلى القضاء.',
  effects: {
    warning: 'هذا تحذير. لا شيء مقيَّد.',
    item_removed: 'أُزيل ما خالف القواعد. لا شيء آخر مقيَّد.',
    restriction: 'يمكنك القراءة والرد، لكن لا يمكنك الإعجاب بأحد ولا بدء محادثات جديدة.',
    suspension: closed.ar,
    ban: closed.ar,
    reporting_restriction: 'لا يمكنك الإبلاغ عن أحد. الحظر يعمل كما كان.',
  },
  rules: {
    underage: 'لا يجوز لمن دون 18 عامًا أن يكونوا هنا.',
    threats: 'لا يجوز لأحد أن يهدد أحدًا.',
    sextortion: 'لا يجوز ابتزاز أحد بصور أو أسرار.',
    scam: 'لا يجوز لأحد طلب المال أو خداع الآخرين للكسب.',
    fake_profile: 'الملف الشخصي يُظهر صاحبه.',
    harassment: 'لا يجوز مضايقة أحد أو إهانته.',
    hate: 'لا يجوز الحطّ من شأن أحد بسبب ما هو عليه.',
    sexual_content: 'لا يُعرض على أحد محتوى جنسي لم يطلبه.',
    offline_harm: 'لا يجوز إيذاء أحد، هنا أو عند اللقاء.',
    spam: 'لا يجوز لأحد الإعلان أو إرسال الشيء نفسه لكثيرين.',
    evasion: 'لا يجوز التحايل على قرار بحساب آخر.',
    false_reports: 'لا يجوز الإبلاغ عن أحد بما لم يفعله.',
    other: 'قواعد المجتمع كما هو موضح أعلاه.',
  },
}

export const statementWords: Record<AppLanguage, StatementWords> = { en, es, ar }
