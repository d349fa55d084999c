import type { LikedItem } from '@duet/contract/likes.ts'
import type { Decision, Profile } from '@duet/contract/profiles.ts'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../platform/toast.ts'
import { type DeckInMemory, useDecide, useUndo } from '../likes/likes.ts'
import { flingAway } from './fling.ts'

export interface DecideOptions {
  /** The one thing that is liked, and what is said with it. */
  item?: LikedItem
  comment?: string
}

/** The words of a like, as the server takes them. */
export function likeBody({ item, comment }: DecideOptions) {
  const said = comment?.trim()
  return { decision: 'like' as const, ...(item && { item }), ...(said && { comment: said }) }
}

/** Whether today's likes are used up. */
export const limitReached = ({ today }: Pick<DeckInMemory, 'today'>): boolean =>
  today.limit !== null && today.likes >= today.limit && new Date(today.resetsAt).getTime() > Date.now()

/** What can be done in the deck, what the live region says of it, and where a card that comes back comes from. */
export function useDeckActs(deck: DeckInMemory) {
  const { t } = useTranslation('discovery')
  const decide = useDecide()
  const undo = useUndo()
  const ghosts = useRef<HTMLDivElement>(null)
  const history = useRef<Decision[]>([])
  const [said, setSaid] = useState('')
  const [backFrom, setBackFrom] = useState<Decision | null>(null)
  const [top, next] = deck.cards

  const refuse = (decision: Decision | 'undo') => {
    if (!navigator.onLine) toast.error(t('refused.offline'))
    else if (decision === 'like' && limitReached(deck)) toast.info(t('today.passing'))
    else return false
    return true
  }
  const announce = (words: string, follower: Profile | undefined) =>
    setSaid(`${words} ${follower ? t('deck.said.next', follower) : t('deck.said.last')}`)
  const act = (decision: Decision, card: HTMLElement | null, options: DecideOptions = {}): boolean => {
    if (!top || refuse(decision)) return false
    if (card) flingAway(card, ghosts.current, decision)
    history.current.push(decision)
    setBackFrom(null)
    announce(t(`deck.said.${decision}`, { name: top.name }), next)
    decide.mutate({ user: top, body: decision === 'like' ? likeBody(options) : { decision } })
    return true
  }
  const takeBack = () => {
    if (deck.undoable === 0 || refuse('undo')) return
    setBackFrom(history.current.pop() ?? 'pass')
    undo.mutate(undefined, {
      onSuccess: ({ card }) => card && setSaid(t('deck.said.undo', { name: card.name })),
    })
  }
  return { act, takeBack, said, backFrom, ghosts }
}
