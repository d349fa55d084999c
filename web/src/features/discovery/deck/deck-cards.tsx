import type { LikedItem } from '@duet/contract/likes.ts'
import type { Decision, Profile } from '@duet/contract/profiles.ts'
import { useDeferredValue, useId, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Extra } from '../../../ui/boundary.tsx'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { lazily } from '../../../ui/lazily.tsx'
import type { Admirers, DeckInMemory } from '../../likes/likes.ts'
import { DeckActions } from './deck-actions.tsx'
import { DeckCard } from './deck-card.tsx'
import { deckCardBox, deckFoot, deckFrame } from './deck-shape.tsx'
import { Keys } from './keys.tsx'
import { PersonFacts } from './person-facts.tsx'
import { usePreload } from './photo-stack.tsx'
import { TodayLine } from './today-line.tsx'
import { isLikeLimitReached, type useDeckActs } from './use-deck-acts.ts'
import type { DeckAct } from './use-deck-keys.ts'
import { stillMotion } from './use-swipe.ts'

const ItemDialog = lazily(() => import('../decision-bar/item-dialog.tsx'))

interface DeckCardsProps {
  deck: DeckInMemory
  interests: ReadonlySet<string>
  admirers: Admirers
  backFrom: Decision | null
  act: ReturnType<typeof useDeckActs>['act']
  onAct: (act: DeckAct) => void
  topCard: () => HTMLElement | null
  keys: boolean
  onKeys: (on: boolean) => void
  onRetry: (() => void) | undefined
}

export function DeckCards({ deck, interests, admirers, backFrom, act, onAct, topCard, ...rest }: DeckCardsProps) {
  const [liking, setLiking] = useState<{ id: string; item: LikedItem }>()
  const facts = useRef<HTMLDivElement>(null)
  const reached = isLikeLimitReached(deck)
  const person = deck.cards[0] as Profile
  const likeItem = reached ? undefined : (item: LikedItem) => setLiking({ id: person.id, item })
  const pile = usePile(deck.cards)
  const toFacts = () => facts.current?.scrollIntoView({ behavior: stillMotion() ? 'auto' : 'smooth' })
  // The first two cards are rendered already.
  usePreload(deck.cards.slice(2, 4).map(({ photos: [first] }) => first))
  return (
    // The message about used-up likes needs another line.
    <div className={classNames(deckFrame, reached ? '[--foot:216px]' : deckFoot)}>
      <div className="grid gap-5.5">
        <div className={deckCardBox}>
          {pile.map((card) => (
            <DeckCard
              key={card.id}
              person={card}
              top={card === person}
              likesMe={admirers.has(card.id)}
              backFrom={card === person ? backFrom : null}
              onDecide={act}
              onLikeItem={likeItem}
              onMore={toFacts}
            />
          ))}
        </div>
        <Foot deck={deck} name={person.name} reached={reached} onAct={onAct} {...rest} />
      </div>
      <div ref={facts} className="scroll-mt-[calc(var(--bar)+12px)] max-sm:pb-36">
        <LateFacts person={person} interests={interests} likes={!reached} onLike={setLiking} />
      </div>
      {liking?.id === person.id && (
        <Extra onFail={() => setLiking(undefined)}>
          <ItemDialog
            user={person}
            item={liking.item}
            onClose={() => setLiking(undefined)}
            onLike={(comment) => act('like', topCard(), { item: liking.item, comment })}
          />
        </Extra>
      )}
    </div>
  )
}

/**
 * Returns the cards to render, the top card last. The card below renders at low priority, so that it doesn't delay the
 * animation of the card that leaves.
 */
function usePile([top, next]: readonly Profile[]): Profile[] {
  const late = useDeferredValue(next)
  const beneath = late?.id === top?.id ? undefined : late
  return [beneath, top].filter((card) => card !== undefined)
}

interface LateFactsProps {
  person: Profile
  interests: ReadonlySet<string>
  likes: boolean
  onLike: (liking: { id: string; item: LikedItem }) => void
}

/** Renders at low priority, because most facts are below the visible card. */
function LateFacts({ person, interests, likes, onLike }: LateFactsProps) {
  const late = useDeferredValue(person)
  return useMemo(() => {
    const likeItem = likes ? (item: LikedItem) => onLike({ id: late.id, item }) : undefined
    return (
      <div key={late.id} className="animate-fade">
        <PersonFacts person={late} interests={interests} onLikeItem={likeItem} />
      </div>
    )
  }, [late, interests, likes, onLike])
}

type FootProps = Pick<DeckCardsProps, 'deck' | 'onAct' | 'keys' | 'onKeys' | 'onRetry'> & {
  name: string
  reached: boolean
}

// The area below the card. On phones it is at the bottom of the window, within reach of the thumb.
function Foot({ deck, name, reached, onAct, keys, onKeys, onRetry }: FootProps) {
  const { t } = useTranslation(['discovery', 'ui'])
  const todayId = useId()
  return (
    <div className="grid gap-2 forced-colors:bg-paper max-sm:pointer-events-none max-sm:fixed max-sm:inset-x-0 max-sm:bottom-[calc(var(--tabs)+env(safe-area-inset-bottom))] max-sm:z-5 max-sm:bg-linear-to-t max-sm:from-paper max-sm:from-72% max-sm:to-transparent max-sm:pt-4 max-sm:pb-3 short:pt-2 max-sm:*:pointer-events-auto">
      <DeckActions
        name={name}
        undoable={deck.undoNext !== null}
        noLikes={reached ? todayId : undefined}
        keys={keys}
        onAct={onAct}
      />
      <div className="grid justify-items-center">
        <div className="hidden lg:block">
          <Keys on={keys} onChange={onKeys} />
        </div>
        <TodayLine id={todayId} today={deck.today} reached={reached} />
        {onRetry && (
          <p role="alert" className="text-s text-ink-2">
            {t('deck.failed')}
            <Button variant="text" size="s" onClick={onRetry}>
              {t('ui:retry')}
            </Button>
          </p>
        )}
      </div>
    </div>
  )
}
