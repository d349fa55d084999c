import type { Decision, Profile } from '@duet/contract/profiles.ts'
import { Clock, Heart, MessageCircleHeart, X } from 'lucide-react'
import { lazy, Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { RoundAction } from '../../ui/round-action.tsx'
import { useDecide, useTakeBack } from '../likes/likes.ts'
import { likeBody } from './use-deck-acts.ts'

const ItemDialog = lazy(() => import('./item-dialog.tsx'))

/** What I think of the person whose page this is: pass, like, like with a comment, later. Nothing after a match. */
export function DecisionBar({ user }: { user: Profile }) {
  const { t } = useTranslation('discovery')
  const decide = useDecide()
  const [commenting, setCommenting] = useState(false)
  const noteId = useId()
  const { name, myDecision, canLike, matched } = user
  if (matched) return null
  const closed = !canLike && myDecision !== 'like'
  const act = (decision: Decision, comment = '') =>
    decide.mutate({ user, body: decision === 'like' ? likeBody({ comment }) : { decision } })
  if (myDecision === 'like') return <Decided user={user} decision="like" />
  return (
    <div className="grid justify-items-center gap-3">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
      <div
        role="group"
        aria-label={t('deck.acts', { name })}
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
          icon={<MessageCircleHeart aria-hidden="true" />}
          onClick={() => setCommenting(true)}
        />
        <RoundAction label={t('deck.later')} icon={<Clock aria-hidden="true" />} onClick={() => act('later')} />
      </div>
      {closed && (
        <p id={noteId} className="text-s text-ink-2">
          {t('bar.closed', { name })}
        </p>
      )}
      {myDecision && <Decided user={user} decision={myDecision} />}
      {commenting && (
        <Suspense fallback={null}>
          <ItemDialog
            user={user}
            item={null}
            onClose={() => setCommenting(false)}
            onLike={(comment) => act('like', comment)}
          />
        </Suspense>
      )}
    </div>
  )
}

function Decided({ user: { id, name }, decision }: { user: Profile; decision: Decision }) {
  const { t } = useTranslation('discovery')
  const takeBack = useTakeBack()
  return (
    <p role="status" className="flex flex-wrap items-center justify-center gap-x-1 text-[15px] text-ink-2">
      {decision === 'like' && <Heart aria-hidden="true" className="size-4.5! me-1 fill-accent text-accent" />}
      {t(`bar.${decision}`, { name })}
      <Button variant="text" size="s" busy={takeBack.isPending} onClick={() => takeBack.mutate({ id, name })}>
        {t('bar.takeBack')}
      </Button>
    </p>
  )
}
