import { foldedText } from './folded-text.ts'

/*
 * Don't import zod here: the web app loads this file at runtime. Texts are analysed only on the device that shows
 * them; nothing is sent or stored. text-signals.test.ts measures the accuracy.
 */

export const textSignals = ['link', 'phone', 'money', 'crypto', 'iban', 'off_platform', 'threat'] as const
export type TextSignal = (typeof textSignals)[number]

/** The maximum length that is analysed, in UTF-16 units. The rest of a longer text is ignored. */
const longest = 2_000

const edge = (pattern: string) => new RegExp(`(?<![\\p{L}\\p{N}_])(?:${pattern})(?![\\p{L}\\p{N}_])`, 'u')
/** Matches `first` and `second` in either order, at most `gap` characters apart. */
const near = (first: string, second: string, gap: number) =>
  new RegExp(
    `(?<!\\p{L})(?:${first})[^.!?؟\\n]{0,${gap}}?(?<!\\p{L})(?:${second})|(?<!\\p{L})(?:${second})[^.!?؟\\n]{0,${gap}}?(?<!\\p{L})(?:${first})`,
    'u',
  )

const endings =
  'com|net|org|io|me|co|app|link|xyz|info|ly|gg|es|mx|ar|uk|us|eu|de|fr|it|ru|cn|top|site|online|shop|club|live|vip|biz|tv|to|cc|dev|page|chat|date|space|website'
const link = new RegExp(
  `https?:\\/\\/\\S|(?<![\\p{L}\\d])www\\.\\S|(?<![@\\p{L}\\d.])[a-z0-9-]{2,}(?:\\.[a-z0-9-]+)*\\.(?:${endings})(?![\\p{L}\\d-])`,
  'u',
)

const numbers = /(?<![\p{L}\d#])\+?\(?\d(?:[\s().\-/]{0,2}\d){7,14}(?![\d\p{L}])/gu
const dates = /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|(?:19|20)\d\d\s?[-/]\s?(?:19|20)\d\d)$/
const rounds = /^\d{1,3}(?:[ .]\d{3})*[ .]000$/
const hasPhone = (text: string) =>
  [...text.matchAll(numbers)].some(([found]) => !dates.test(found.trim()) && !rounds.test(found.trim()))

const ibans = /(?<![A-Z\d])[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,4})?(?![A-Z\d])/g
function isIban(found: string): boolean {
  const account = found.replaceAll(' ', '')
  if (account.length < 15 || account.length > 34) return false
  let rest = 0
  for (const sign of account.slice(4) + account.slice(0, 4)) {
    const value = Number.parseInt(sign, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}
const hasIban = (text: string) => (text.toUpperCase().match(ibans) ?? []).some(isIban)

const cryptoAddress =
  /(?<![\p{L}\d])(?:bc1[a-z0-9]{25,60}|[13][1-9A-HJ-NP-Za-km-z]{25,34}|0x[0-9a-fA-F]{40}|T[1-9A-HJ-NP-Za-km-z]{33})(?![\p{L}\d])/u
const cryptoWords = edge(
  'bitcoins?|btc|ethereum|usdt|tether|crypto(?:currenc(?:y|ies))?|binance|coinbase|cripto(?:moneda)?s?|(?:ال|بال)?(?:بيتكوين|بتكوين|كريبتو|ايثيريوم)|(?:ال|بال)?عملات (?:ال)?(?:رقميه?|رقمية|مشفرة)|forex trading',
)

const sums =
  'money|cash|dollars?|euros?|pounds|bucks|usd|eur|funds|loan|[$€£]\\s?\\d|\\d+\\s?[$€£k]|dinero|dolares|plata|pesos|prestamo|مال|المال|مالا|فلوس|مبلغ|مبلغا|دولارا?|يورو|ريال|درهم|جنيه|قرضا?'
const asks =
  'send me|send you|sending me|lend|loan me|wire|transfer|borrow|help me (?:with|pay)|need(?: some| the| your)? (?:help|money|cash)|invest|deposit|pay (?:me|for my|the)|double your|earn|make you|enviame|enviar(?:me)?|envias|mandar?me|me mandas|mandes|prestar?me|prestas|prestarme|transfier[eo]|transferir(?:me)?|deposit[ae]|invertir|invierte|ayudar?me|ganar|pagar?me|pagues|necesito|duplic[ao]|حول|حولي|تحول|تحويل|ارسل|ارسلي|ترسل|ترسلي|ابعت|ابعث|سلفني|تسلفني|اقرضني|تقرضني|استثمر|تستثمر|احتاج|محتاج|محتاجة|ادفع|تدفع|تربح|اربح|تضاعف'
const money = [
  near(asks, sums, 40),
  edge(
    'western union|moneygram|gift cards?|steam cards?|itunes cards?|cash ?app|zelle|venmo|bizum|customs fees?|hospital bills?|bank details|bank account|investment (?:opportunity|platform)|guaranteed (?:profit|returns?)|tarjetas? (?:de )?regalo|cuenta bancaria|datos bancarios|oportunidad de inversion|ganancias? (?:seguras?|garantizadas?)|بطاق(?:ة|ات) (?:ال)?هدايا|ويسترن يونيون|حساب(?:ي|ك)? (?:ال)?بنكي|فرصة استثمار(?:ية)?|ارباح مضمونة|رسوم جمركية',
  ),
]

const messengers =
  'whats ?app|watsapp|whats app|wasap|wa me|telegram|snapchat|wechat|viber|kik|google chat|hangouts|(?:ال|عال|بال|عل?ي? ?ال)?(?:واتساب|واتس اب|وتساب|واتس|تيليجرام|تليجرام|تلغرام|تيليغرام|تلجرام|سناب شات|سناب|فايبر)'
const networks =
  'instagram|insta|ig|facebook|messenger|signal|discord|skype|snap|tiktok|line|(?:ال|عال)?(?:انستا|انستغرام|انستجرام|فيسبوك|ماسنجر|سكايب|سيجنال|ديسكورد)'
const moves =
  "add me|add my|find me|message me|text me|write me|dm me|hit me up|talk on|chat on|talk over|move (?:this )?to|continue on|switch to|my|mine|your|give me|what's your|follow me|agregame|buscame|escribeme|hablame|hablamos|hablar|sigueme|mi|tu|pasame|dame|seguimos|ضيفني|اضفني|كلمني|راسلني|حسابي|حسابك|نكمل|نتكلم|تواصل|تابعني|عندك"
const offPlatform = [
  edge(messengers),
  near(moves, `(?:${networks})(?!\\p{L})`, 18),
  edge(
    '(?:my|your|ur) (?:phone )?number(?! one| \\d\\D?$)|text me at|call me at|e-?mail me|my e-?mail|another app|other app|off this app|outside (?:of )?(?:this|the) app|(?:mi|tu) numero(?! de )|mi correo|tu correo|fuera de (?:esta|la) (?:app|aplicacion)|otra (?:app|aplicacion)|رقمي|رقمك|رقم جوال(?:ك|ي)|ايميلي|بريدي|تطبيق اخر|خارج (?:هذا )?(?:ال)?تطبيق',
  ),
  /[\p{L}\d._%+-]@[a-z\d-]+\.[a-z]{2,}/u,
]

const pictures = '(?:pics?|pictures?|photos?|nudes?|videos?|screenshots?)'
const threat = [
  near(
    "i'll|i will|i'm going to|gonna|i can|or i|and i'll",
    `(?:post|share|send|publish|leak|upload|show|expose) (?:all )?(?:of )?(?:(?:your|ur|those|these) (?:\\p{L}+ ){0,2}${pictures}|(?:it|them|this|the ${pictures}) (?:online|everywhere|(?:to|with) (?:all )?(?:of )?(?:your|ur|everyone|everybody)))`,
    12,
  ),
  edge(
    "i know where you (?:live|work)|i(?:'?ll| will| am going to|'m going to) (?:kill|hurt|find|ruin|destroy|beat) you(?:r life)?|you(?:'?ll| will) (?:regret|pay for) (?:this|it)|pay (?:me )?or (?:else|i)|ruin your (?:life|reputation)|everyone will see your|if you don'?t pay|watch your back",
  ),
  edge(
    '(?:voy a|vamos a|puedo|o) (?:publicar|publico|enviar|envio|mandar|mando|subir|subo|difundir|compartir|ensenar) (?:todas )?(?:tus|el|los|las|estas|esas) (?:fotos?|videos?|capturas?|desnudos?|imagenes)|se donde (?:vives|trabajas)|te voy a (?:matar|encontrar|pegar|hundir|arruinar|hacer dano)|te vas a arrepentir|lo vas a (?:pagar|lamentar)|si no (?:me )?pagas|paga o|arruinar(?:e|te)? (?:tu|la) vida|todo el mundo vera tus',
  ),
  /(?:سانشر|راح انشر|رح انشر|سوف انشر|بنشر|هنشر|سارسل|راح ارسل|سوف ارسل|هبعت|سابعث)[^.!?؟\n]{0,12}(?:صور|فيديو|محادث)|(?:سافضح|راح افضح|هفضح|بفضح)|اعرف (?:اين|وين|فين) (?:تسكن|ساكن|تعيش|بيت|تعمل)|(?:ساقتل|راح اقتل|هقتل|بقتل|ساؤذي|ساوذي|ساذي)|(?:ستندم|راح تندم|هتندم)|(?:ادفع|تدفع)[^.!?؟\n]{0,6}(?:والا|و الا|او ساا?)|اذا (?:لم|ما) تدفع/u,
]

const tests: Record<TextSignal, (folded: string, text: string) => boolean> = {
  link: (folded) => link.test(folded),
  phone: (folded, text) => hasPhone(folded) && !hasIban(text),
  money: (folded) => money.some((pattern) => pattern.test(folded)),
  crypto: (folded, text) => cryptoAddress.test(text) || cryptoWords.test(folded),
  iban: (_folded, text) => hasIban(text),
  off_platform: (folded) => offPlatform.some((pattern) => pattern.test(folded)),
  threat: (folded) => threat.some((pattern) => pattern.test(folded)),
}

/** Returns the warning signs in a text, to warn its writer or reader. Covers English, Spanish and Arabic. */
export function signalsIn(text: string): TextSignal[] {
  // biome-ignore lint/plugin/cut-text: the cut text is only analysed, never shown.
  const short = text.slice(0, longest)
  const folded = foldedText(short)
  return textSignals.filter((signal) => tests[signal](folded, short))
}
