import type { LikedItem } from '@duet/contract/likes.ts'
import type { Decision, Profile } from '@duet/contract/profiles.ts'
import { isVisible } from '@duet/contract/written-text.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { deckKey } from '../../../cache/keys.ts'
import { toast } from '../../../platform/toast.ts'
import { type Admirers, type DeckInMemory, useDecide, useTakeBack, useUndo } from '../../likes/likes.ts'
import { flingAway } from './fling.ts'

export interface DecideOptions {
  item?: LikedItem
  comment?: string
}

export function likeBody({ item, comment }: DecideOptions) {
  const said = comment && isVisible(comment) ? comment : undefined
  return { decision: 'like' as const, ...(item && { item }), ...(said && { comment: said }) }
}

export const isLikeLimitReached = ({ today }: Pick<DeckInMemory, 'today'>): boolean =>
  today.limit !== null && today.likes >= today.limit && new Date(today.resetsAt).getTime() > Date.now()

export function useDeckActs(deck: DeckInMemory, admirers: Admirers) {
  const { t } = useTranslation('discovery')
  const decide = useDecide()
  const { latest, undo } = useUndo()
  const { takeBack: takeBackOne } = useTakeBack()
  const queryClient = useQueryClient()
  const ghosts = useRef<HTMLDivElement>(null)
  const [said, setSaid] = useState('')
  const [backFrom, setBackFrom] = useState<Decision | null>(null)
  const [top, next] = deck.cards

  const refuse = (decision: Decision | 'undo') => {
    if (!navigator.onLine) toast.error(t('refused.offline'))
    else if (decision === 'like' && isLikeLimitReached(deck)) toast.info(t('today.passing'))
    else return false
    return true
  }
  const announce = (words: string, follower: Profile | undefined) =>
    setSaid(`${words} ${follower ? t('deck.said.next', follower) : t('deck.said.last')}`)
  const act = (decision: Decision, card: HTMLElement | null, options: DecideOptions = {}): boolean => {
    // Until the next card renders, a second action would apply to someone who isn't visible yet.
    if (!top || top.id !== queryClient.getQueryData<DeckInMemory>(deckKey)?.cards[0]?.id) return false
    if (refuse(decision)) return false
    if (card) flingAway(card, ghosts.current, decision)
    setBackFrom(null)
    announce(t(`deck.said.${decision}`, { name: top.name }), next)
    decide.mutate({ user: top, body: decision === 'like' ? likeBody(options) : { decision } })
    // Offer undo after saving for later and after passing on someone who likes me.
    if (decision === 'later') tellOf(top, t('deck.said.later', { name: top.name }))
    else if (decision === 'pass' && admirers.has(top.id)) tellOf(top, t('deck.passedAdmirer', { name: top.name }))
    return true
  }
  const takeBack = () => {
    const made = latest()
    if (!made || refuse('undo')) return
    setBackFrom(made.decision)
    undo(made, { onSuccess: (answer) => answer?.card && setSaid(t('deck.said.undo', answer.card)) })
  }
  const tellOf = (person: Profile, words: string) => {
    const onUndo = () => {
      if (latest()?.id === person.id) takeBack()
      else if (!refuse('undo')) void takeBackOne(person).catch(() => undefined)
    }
    toast.success(words, { undo: { label: t('deck.undo'), onUndo } })
  }
  return { act, takeBack, said, backFrom, ghosts }
}
