import type { Decision, Profile } from '@duet/contract/profiles.ts'
import { Clock, Heart, MessageCircleHeart, X } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/button.tsx'
import { RoundAction } from '../../../ui/round-action.tsx'
import { useDecide, useTakeBack } from '../../likes/likes.ts'
import { useItemLike } from './use-item-like.tsx'
import { WhyNot } from './why-not.tsx'

export function DecisionBar({ user }: { user: Profile }) {
  const { likeItem, dialog } = useItemLike(user)
  const bar = useRef<HTMLDivElement>(null)
  const { myDecision, matched } = user
  useFocusKept(bar, `${myDecision} ${Boolean(likeItem)}`)
  if (matched) return null
  return (
    <div ref={bar} tabIndex={-1} className="grid justify-items-center gap-3 focus:outline-none">
      {myDecision !== 'like' && <Choices user={user} onComment={likeItem && (() => likeItem(null))} />}
      {myDecision && <Decided user={user} decision={myDecision} />}
      {dialog}
    </div>
  )
}

interface ChoicesProps {
  user: Profile
  onComment: (() => void) | undefined
}

function Choices({ user, onComment }: ChoicesProps) {
  const { t } = useTranslation('discovery')
  const decide = useDecide()
  const noteId = useId()
  const closed = !onComment
  const act = (decision: Decision) => decide.mutate({ user, body: { decision } })
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields, and these are buttons */}
      <div
        role="group"
        aria-label={t('deck.acts', user)}
        dir="ltr"
        className="flex items-center gap-4.5 max-[339px]:gap-3"
      >
        <RoundAction label={t('deck.pass')} icon={<X aria-hidden="true" />} onClick={() => act('pass')} />
        <RoundAction
          size="l"
          filled={!closed}
          disabled={closed}
          label={t('deck.like')}
          icon={<Heart aria-hidden="true" fill="currentColor" stroke="none" />}
          aria-describedby={closed ? noteId : undefined}
          onClick={() => act('like')}
        />
        <RoundAction
          label={t('item.withComment')}
          aria-haspopup="dialog"
          disabled={closed}
          aria-describedby={closed ? noteId : undefined}
          icon={<MessageCircleHeart aria-hidden="true" />}
          onClick={onComment}
        />
        <RoundAction label={t('deck.later')} icon={<Clock aria-hidden="true" />} onClick={() => act('later')} />
      </div>
      {closed && <WhyNot id={noteId} user={user} />}
    </>
  )
}

function useFocusKept(bar: { current: HTMLElement | null }, state: string): void {
  const last = useRef(state)
  useEffect(() => {
    if (last.current === state) return
    last.current = state
    // A closing dialog first returns the focus to its trigger, which may no longer exist.
    const wait = setTimeout(() => {
      if (document.activeElement === document.body) bar.current?.focus({ preventScroll: true })
    }, 60)
    return () => clearTimeout(wait)
  })
}

function Decided({ user: { id, name }, decision }: { user: Profile; decision: Decision }) {
  const { t } = useTranslation('discovery')
  const { takeBack, isPending } = useTakeBack()
  return (
    <p role="status" className="flex flex-wrap items-center justify-center gap-x-1 text-[15px] text-ink-2">
      {decision === 'like' && <Heart aria-hidden="true" className="size-4.5! me-1 fill-accent text-accent" />}
      {t(`bar.${decision}`, { name })}
      <Button
        variant="text"
        size="s"
        busy={isPending}
        onClick={() => void takeBack({ id, name }).catch(() => undefined)}
      >
        {t('bar.takeBack')}
      </Button>
    </p>
  )
}
