import type { Like } from '@duet/contract/likes.ts'
import type { Match } from '@duet/contract/matches.ts'
import { create } from 'zustand'
import { whenPersonChanges } from '../../platform/session.ts'

export type SaidWithLike = Pick<Like, 'item' | 'comment'>
/** Each is null if the like had no item and no comment, or if this page doesn't know them. */
export interface BothLikes {
  mine: SaidWithLike | null
  theirs: SaidWithLike | null
}

/** A match as shown. `certain` is false until the server confirms it. */
export interface ShownMatch extends Pick<Match, 'user' | 'openers'>, BothLikes {
  certain: boolean
}

interface MatchNews {
  shown: ShownMatch | null
  /**
   * Matches that arrived later. Each is shown after the previous one is closed, because the person may be writing in
   * it.
   */
  next: readonly ShownMatch[]
  /** A match made on another device or by the other person, until a toast has announced it. */
  arrived: Match | null
  /** Ids of the people whose match was announced, so that each match is announced only once. */
  told: readonly string[]
  said: string
}

export const noNews: MatchNews = { shown: null, next: [], arrived: null, told: [], said: '' }
export const useMatchNews = create<MatchNews>()(() => noNews)
whenPersonChanges(() => useMatchNews.setState(noNews))

// Unmatched people can't match again, so the other person's id identifies a match.
function tellOnce(id: string, news: Partial<MatchNews>): void {
  const { told } = useMatchNews.getState()
  if (told.includes(id)) return
  useMatchNews.setState({ ...news, told: [...told, id] })
}

const nothingSaid: BothLikes = { mine: null, theirs: null }
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

/** Each match is shown only once. If it is already shown as expected, marks it as confirmed. */
export function showMatch({ user, openers }: Match, said: BothLikes = nothingSaid): void {
  const isExpected = (one: ShownMatch) => !one.certain && one.user.id === user.id
  if (queue().some(isExpected))
    show(queue().map((one) => (isExpected(one) ? { ...one, user, openers, certain: true } : one)))
  else queueOnce({ user, openers, ...said, certain: true })
}

/** Shows a match before the server confirms it: the person is known to like me, and I have just liked them. */
export const expectMatch = (user: Match['user'], said: BothLikes): void =>
  queueOnce({ user, openers: [], ...said, certain: false })

/**
 * Hides an expected match that didn't happen, so that a later match with that person can be announced. Returns false if
 * none was shown.
 */
export function withdrawMatch(id: string): boolean {
  const { told } = useMatchNews.getState()
  if (queue().some(({ certain, user }) => certain && user.id === id)) return false
  useMatchNews.setState({ told: told.filter((other) => other !== id) })
  show(queue().filter(({ user }) => user.id !== id))
  return told.includes(id)
}

export const announceMatch = (match: Match): void => tellOnce(match.user.id, { arrived: match })

export const closeMatch = (id: string): void => show(queue().filter(({ user }) => user.id !== id))
