import type { Match } from '@duet/contract/matches.ts'
import { create } from 'zustand'
import { whenPersonChanges } from '../../platform/session.ts'

interface MatchNews {
  /** The match whose dialog is open. */
  shown: Match | null
  /** A match that came about while the person was elsewhere, until a toast has told it. */
  arrived: Match | null
  /** With whom: each match is told once. */
  told: readonly string[]
  /** What the live region says. */
  said: string
}

export const noNews: MatchNews = { shown: null, arrived: null, told: [], said: '' }
export const useMatchNews = create<MatchNews>()(() => noNews)
whenPersonChanges(() => useMatchNews.setState(noNews))

// A match that has ended never comes back, so the other person's id stands for it.
function tellOnce(match: Match, news: Partial<MatchNews>): void {
  const { told } = useMatchNews.getState()
  if (told.includes(match.user.id)) return
  useMatchNews.setState({ ...news, told: [...told, match.user.id] })
}

/** Opens the dialog of a match, from anywhere. The same match a second time changes nothing. */
export const showMatch = (match: Match): void => tellOnce(match, { shown: match })

/** Tells of a match in a toast, unless it has been told already. */
export const announceMatch = (match: Match): void => tellOnce(match, { arrived: match })

/** Closes the dialog; with an id, only when it is about that person. */
export function closeMatch(id?: string): void {
  const { shown } = useMatchNews.getState()
  if (shown && (id === undefined || shown.user.id === id)) useMatchNews.setState({ shown: null })
}
