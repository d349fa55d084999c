import { days, hours, minutes } from '../../platform/clock.ts'

/** A model of the emails a person should get, independent of Duet's code. */

export type Topic = 'match' | 'message' | 'like' | 'nearby' | 'safety' | 'account'
export type When = 'now' | 'daily' | 'weekly' | 'never'
export type Group = 'matches' | 'messages' | 'digest'

export interface Told {
  topic: Topic
  from?: Life
  text?: string
  key?: string
  at: number
  /** When the first notification in a chain of replacements was created. */
  firstAt: number
  isRead: boolean
  isPushed: boolean
  isMailed: boolean
}

export interface Life {
  id: string
  email: string
  name: string
  token: string
  session: string
  times: Record<Topic, When>
  level: 'text' | 'name' | 'nothing'
  quiet: { from: string; to: string } | null
  zone: string
  hides: string | undefined
  hasBrowser: boolean
  isSuspended: boolean
  eraseAt: number | undefined
  isErased: boolean
  isLooking: boolean
  stopped: Set<Group>
  blocks: Set<Life>
  box: 'open' | 'gone' | 'full' | 'listed'
  /** When the mailbox was first reported missing, and until when news emails pause. */
  refused: { since: number; until: number } | undefined
  told: Told[]
  mailedAt: number
  link: { group: Group; url: string } | undefined
}

export interface Expected {
  group: Group
  news: Told[]
}

const clocks = new Map<string, Intl.DateTimeFormat>()
const timeOptions = { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
/** The local weekday and time in a zone: `Thu 18:00`. */
export function localTime(zone: string, at: number): { day: string; time: string } {
  const clock = clocks.get(zone) ?? new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...timeOptions })
  clocks.set(zone, clock)
  const [day = '', time = ''] = clock.format(at).split(' ')
  return { day: day.replace(',', ''), time }
}

const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
/** Minutes from one time of day to the next occurrence of another. */
const between = (from: string, to: string) => (minuteOf(to) - minuteOf(from) + 1_440) % 1_440

export const isQuiet = ({ quiet }: Pick<Life, 'quiet'>, time: string): boolean =>
  quiet !== null && between(quiet.from, time) < between(quiet.from, quiet.to)

const canHear = (one: Life) => !one.isErased && !one.isSuspended && one.eraseAt === undefined && !one.isLooking
const shows = (one: Life, from: Life | undefined) =>
  !from ||
  (!from.isSuspended && from.eraseAt === undefined && !from.isErased && !one.blocks.has(from) && !from.blocks.has(one))

const groupOf = (topic: Topic): Group => (topic === 'match' ? 'matches' : topic === 'message' ? 'messages' : 'digest')

/**
 * When the person's evening began, if less than four hours ago. It begins at 18:00, or when quiet hours that include
 * 18:00 end.
 */
function eveningOf(one: Life, at: number): number | undefined {
  const due = one.quiet && isQuiet(one, '18:00') ? one.quiet.to : '18:00'
  const since = minutes(between(due, localTime(one.zone, at).time))
  return since < hours(4) ? at - since : undefined
}

/** The emails that should be sent to a person now, whether or not they are delivered. */
export function expectedFor(one: Life, at: number): Expected[] {
  const waiting = one.told.filter(
    ({ topic, isRead, isPushed, isMailed, from }) =>
      // Safety notices aren't part of news emails.
      topic !== 'safety' && !isRead && !isPushed && !isMailed && shows(one, from),
  )
  if (waiting.length === 0 || !canHear(one)) return []
  const { time } = localTime(one.zone, at)
  if (isQuiet(one, time)) return []
  if (one.hasBrowser && one.quiet && between(one.quiet.to, time) < 60) return []
  const of = (when: When, moment: number, oldest: number) =>
    waiting.filter(
      (news) => one.times[news.topic] === when && news.firstAt <= moment - hours(1) && news.at >= moment - oldest,
    )
  const mails: Record<Group, Told[]> = { digest: [], matches: [], messages: [] }
  const evening = eveningOf(one, at)
  if (evening !== undefined) {
    mails.digest.push(...of('daily', evening, days(2)))
    if (localTime(one.zone, evening).day === 'Thu') mails.digest.push(...of('weekly', evening, days(8)))
  }
  if (at - one.mailedAt >= hours(4)) for (const news of of('now', at, days(1))) mails[groupOf(news.topic)].push(news)
  return (['digest', 'matches', 'messages'] as const)
    .map((group) => ({ group, news: mails[group] }))
    .filter(({ news }) => news.length > 0)
}

/** The emails that are delivered; the notifications in them count as emailed. */
export function arriving(one: Life, at: number, isAway: boolean): Expected[] {
  const isLeftAlone = () => one.refused !== undefined && one.refused.until > at
  if (isLeftAlone()) return []
  return expectedFor(one, at).filter(({ group, news }) => {
    if (one.stopped.has(group) || isAway || one.box === 'full' || one.box === 'listed' || isLeftAlone()) return false
    if (one.box === 'gone') {
      // News emails pause for a day the first time, then for 30 days.
      one.refused = one.refused ? { ...one.refused, until: at + days(30) } : { since: at, until: at + hours(20) }
      return false
    }
    for (const each of news) each.isMailed = true
    one.refused = undefined
    one.mailedAt = at
    return true
  })
}

const linesOf = (count: number) => Math.min(count, 8) + (count > 8 ? 1 : 0)
const subjects = ['You have news on Duet', 'Tienes novedades en Duet', 'لديك جديد في Duet']
const namesIn = (text: string) => new Set(text.match(/Zq[a-z]{4}/g) ?? [])
const textsIn = (text: string) => new Set(text.match(/Wq[a-z]{4}/g) ?? [])
const isSame = (a: Set<string>, b: Set<string>) => a.size === b.size && [...a].every((each) => b.has(each))
const isWithin = (a: Set<string>, b: Set<string>) => [...a].every((each) => b.has(each))

export function faultsOfWords(
  one: Life,
  { news }: Expected,
  mail: { subject: string; text: string; html: string },
): string[] {
  const words = [mail.text, mail.html].map((part) => part.replace(/https?:\/\/[^\s"<]+/g, ''))
  const preheader = /<div style="display:none[^>]*>([^<]*)/.exec(words[1] ?? '')?.[1] ?? ''
  const isTold = one.level !== 'nothing'
  const names = new Set([one.name, ...(isTold ? news.flatMap(({ from }) => from?.name ?? []) : [])])
  // Texts are left out if they read like offers or contain a word the person hid.
  const isSaid = ({ text = '' }: Told) =>
    text !== '' && !text.includes('bitcoin') && !(one.hides && text.includes(one.hides))
  const texts = textsIn(
    one.level === 'text'
      ? news
          .filter(isSaid)
          .map(({ text }) => text)
          .join()
      : '',
  )
  const fits = news.length > 8 ? isWithin : isSame
  const says = one.level === 'text' && news.length === 1
  const lines = (mail.text.match(/^- /gm) ?? []).length
  return [
    ...(words.every((part) => fits(namesIn(part), names))
      ? []
      : [`names ${[...namesIn(words.join())]}, not ${[...names]}`]),
    ...(words.every((part) => fits(textsIn(part), texts))
      ? []
      : [`says ${[...textsIn(words.join())]}, not ${[...texts]}`]),
    ...(lines === (isTold ? linesOf(news.length) : 0) ? [] : [`has ${lines} lines of ${news.length} news`]),
    ...(says || subjects.includes(mail.subject) ? [] : [`has this subject: ${mail.subject}`]),
    ...(says && !isWithin(namesIn(mail.subject), names) ? ['names someone else in its subject'] : []),
    ...(textsIn(mail.subject).size > 0 ? ['says what someone wrote in its subject'] : []),
    ...(one.level !== 'text' && /[ZW]q/.test(preheader) ? ['begins with what it hides'] : []),
    ...(one.hides && words.join().includes(one.hides) ? ['says a hidden word'] : []),
    ...(words.join().includes('bitcoin') ? ['says an offer'] : []),
  ]
}
