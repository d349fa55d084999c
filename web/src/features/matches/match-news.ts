import type { Like } from '@duet/contract/likes.ts'
import type { Match } from '@duet/contract/matches.ts'
import { create } from 'zustand'
import { whenPersonChanges } from '../../platform/session.ts'

/** What one of the two liked of the other, and the words that went with it. */
export type SaidWithLike = Pick<Like, 'item' | 'comment'>
/** What both likes said; null where a like said nothing, or what it said is not known here. */
export interface BothLikes {
  mine: SaidWithLike | null
  theirs: SaidWithLike | null
}

/** A match as it is shown. While `certain` is false the server has not confirmed it. */
export interface ShownMatch extends Pick<Match, 'user' | 'openers'>, BothLikes {
  certain: boolean
}

interface MatchNews {
  /** The match that fills the screen. */
  shown: ShownMatch | null
  /** Later matches. Each one waits until the one before it is closed, because the person may be writing in it. */
  next: readonly ShownMatch[]
  /** A match that came about while the person was elsewhere, until a toast has told it. */
  arrived: Match | null
  /** The other person: each match is announced once. */
  told: readonly string[]
  /** What the live region says. */
  said: string
}

export const noNews: MatchNews = { shown: null, next: [], arrived: null, told: [], said: '' }
export const useMatchNews = create<MatchNews>()(() => noNews)
whenPersonChanges(() => useMatchNews.setState(noNews))

// A match that has ended never comes back, so the other person's id stands for it.
function tellOnce(id: string, news: Partial<MatchNews>): void {
  const { told } = useMatchNews.getState()
  if (told.includes(id)) return
  useMatchNews.setState({ ...news, told: [...told, id] })
}

const nothingSaid: BothLikes = { mine: null, theirs: null }
/** The match on the screen, followed by those that wait. */
const queue = (): ShownMatch[] => {
  const { shown, next } = useMatchNews.getState()
  return shown ? [shown, ...next] : []
}
const show = ([shown, ...next]: readonly ShownMatch[]) => useMatchNews.setState({ shown: shown ?? null, next })

function queueOnce(match: ShownMatch): void {
  const { told } = useMatchNews.getState()
  if (told.includes(match.user.id)) return
  tellOnce(match.user.id, {})
  show([...queue(), match])
}

/** Shows a match, from anywhere. The same match a second time changes nothing, but it confirms an expected one. */
export function showMatch({ user, openers }: Match, said: BothLikes = nothingSaid): void {
  const isExpected = (one: ShownMatch) => !one.certain && one.user.id === user.id
  if (queue().some(isExpected))
    show(queue().map((one) => (isExpected(one) ? { ...one, user, openers, certain: true } : one)))
  else queueOnce({ user, openers, ...said, certain: true })
}

/** Shows a match that the server will confirm: they are known to like me, and I have just liked them. */
export const expectMatch = (user: Match['user'], said: BothLikes): void =>
  queueOnce({ user, openers: [], ...said, certain: false })

/** The expected match did not come about: it leaves the screen, and may be told another time. False: none was shown. */
export function withdrawMatch(id: string): boolean {
  const { told } = useMatchNews.getState()
  if (queue().some(({ certain, user }) => certain && user.id === id)) return false
  useMatchNews.setState({ told: told.filter((other) => other !== id) })
  show(queue().filter(({ user }) => user.id !== id))
  return told.includes(id)
}

/** Tells of a match in a toast, unless it has been told already. */
export const announceMatch = (match: Match): void => tellOnce(match.user.id, { arrived: match })

export const closeMatch = (id: string): void => show(queue().filter(({ user }) => user.id !== id))
