import type { AppLanguage } from '@duet/contract/accounts.ts'
import type { Ground, SanctionKind } from '@duet/contract/sanctions.ts'

/** All words of a statement of reasons except the facts, which the administrator writes. */
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
  appeal: (day: string) => string
  open: string
  court: string
  effects: Record<Exclude<SanctionKind, 'shadow'>, string>
  /** For messages that a moderator found to be spam. */
  undelivered: string
  photoHidden: string
  rules: Record<Ground, string>
}

const closed = {
  en: 'No one can see you, and you can only sign in to read this, appeal, and download or delete your data.',
  es: 'Nadie te ve, y solo puedes entrar para leer esto, recurrir, y descargar o eliminar tus datos.',
  ar: 'لا يراك أحد، ولا يمكنك الدخول إلا لقراءة هذا والتظلّم وتنزيل بياناتك أو حذفها.',
}

const en: StatementWords = {
  subject: 'A decision about your Duet account',
  hello: (name) => `Hello ${name},`,
  decided: (day) => `we made a decision about your Duet account on ${day}.`,
  means: (effect) => `What it means: ${effect}`,
  lasts: (day) => `It lasts until ${day}.`,
  why: (statement) => `Why: ${statement}`,
  rule: (rule) => `The rule: ${rule}`,
  byItself: 'It was decided automatically.',
  byPerson: 'It was decided by a person, not automatically.',
  appeal: (day) => `If you think it's wrong, you can appeal until ${day}, free of charge. Someone else will review it:`,
  open: 'See the decision',
  court: 'You can also go to court.',
  effects: {
    warning: 'This is a warning. Nothing is restricted.',
    item_removed: 'We removed what broke the rules. Nothing else is restricted.',
    restriction: "You can read and reply, but you can't like anyone or start new chats.",
    suspension: closed.en,
    ban: closed.en,
    reporting_restriction: "You can't report anyone. You can still block people.",
  },
  undelivered:
    "Your messages to people who hadn't answered weren't delivered. They'll see them only if you or they write again.",
  photoHidden: 'Only you can see one of your photos now. Nothing else is restricted.',
  rules: {
    underage: 'Duet is for people aged 18 and over.',
    threats: "Don't threaten anyone.",
    sextortion: "Don't blackmail anyone with pictures or secrets.",
    scam: "Don't ask for money or deceive people for gain.",
    fake_profile: 'Your profile must show you.',
    harassment: "Don't harass or insult anyone.",
    hate: "Don't degrade people for who they are.",
    sexual_content: "Don't send or show sexual content people didn't ask for.",
    offline_harm: "Don't harm anyone, here or in person.",
    spam: "Don't advertise or send the same thing to many people.",
    evasion: "Don't use another account to get around a decision.",
    false_reports: "Don't report people for things they didn't do.",
    other: 'The community rules, as explained above.',
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
  appeal: (day) => `Si crees que es un error, puedes recurrir hasta el ${day}, sin coste. Lo revisará otra persona:`,
  open: 'Ver la decisión',
  court: 'También puedes acudir a los tribunales.',
  effects: {
    warning: 'Es una advertencia. Nada está restringido.',
    item_removed: 'Retiramos lo que incumplía las normas. Nada más está restringido.',
    restriction: 'Puedes leer y responder, pero no dar me gusta ni empezar chats.',
    suspension: closed.es,
    ban: closed.es,
    reporting_restriction: 'No puedes denunciar a nadie. Aún puedes bloquear.',
  },
  undelivered:
    'Tus mensajes a personas que no te habían contestado no se entregaron. Solo los verán si tú o ellas escriben de nuevo.',
  photoHidden: 'Ahora solo tú ves una de tus fotos. Nada más está restringido.',
  rules: {
    underage: 'Duet es para mayores de 18 años.',
    threats: 'No amenaces a nadie.',
    sextortion: 'No chantajees a nadie con imágenes o secretos.',
    scam: 'No pidas dinero ni engañes a nadie para lucrarte.',
    fake_profile: 'Tu perfil debe mostrarte a ti.',
    harassment: 'No acoses ni insultes a nadie.',
    hate: 'No degrades a nadie por ser quien es.',
    sexual_content: 'No envíes ni muestres contenido sexual que no te han pedido.',
    offline_harm: 'No hagas daño a nadie, ni aquí ni en persona.',
    spam: 'No hagas publicidad ni envíes lo mismo a muchas personas.',
    evasion: 'No uses otra cuenta para eludir una decisión.',
    false_reports: 'No denuncies a nadie por algo que no hizo.',
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
  appeal: (day) => `إن كنت ترى أنه خاطئ فيمكنك التظلّم حتى ${day} مجانًا، وسيراجعه شخص آخر:`,
  open: 'قراءة القرار',
  court: 'ويمكنك أيضًا اللجوء إلى القضاء.',
  effects: {
    warning: 'هذا تحذير. لا شيء مقيَّد.',
    item_removed: 'أزلنا ما خالف القواعد. لا شيء آخر مقيَّد.',
    restriction: 'يمكنك القراءة والرد، لكن لا يمكنك الإعجاب بأحد ولا بدء محادثات جديدة.',
    suspension: closed.ar,
    ban: closed.ar,
    reporting_restriction: 'لا يمكنك الإبلاغ عن أحد. ما زال بإمكانك الحظر.',
  },
  undelivered: 'لم تُسلَّم رسائلك إلى من لم يردّوا عليك. لن يروها إلا إذا كتبت أنت أو كتبوا هم من جديد.',
  photoHidden: 'أنت وحدك ترى إحدى صورك الآن. لا شيء آخر مقيَّد.',
  rules: {
    underage: 'Duet لمن هم في 18 عامًا فأكثر.',
    threats: 'لا تهدد أحدًا.',
    sextortion: 'لا تبتزّ أحدًا بصور أو أسرار.',
    scam: 'لا تطلب مالًا ولا تخدع الآخرين للكسب.',
    fake_profile: 'يجب أن يُظهر ملفك الشخصي صاحبه.',
    harassment: 'لا تضايق أحدًا ولا تُهنه.',
    hate: 'لا تحطّ من شأن أحد بسبب ما هو عليه.',
    sexual_content: 'لا ترسل ولا تعرض محتوى جنسيًا لم يُطلب منك.',
    offline_harm: 'لا تؤذِ أحدًا، هنا أو عند اللقاء.',
    spam: 'لا تُعلن ولا ترسل الشيء نفسه إلى كثيرين.',
    evasion: 'لا تتحايل على قرار بحساب آخر.',
    false_reports: 'لا تُبلغ عن أحد بما لم يفعله.',
    other: 'قواعد المجتمع كما هو موضح أعلاه.',
  },
}

export const statementWords: Record<AppLanguage, StatementWords> = { en, es, ar }
