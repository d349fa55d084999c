import type { LikedItem } from '@duet/contract/likes.ts'
import type { Decision, Profile } from '@duet/contract/profiles.ts'
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import type { DeckInMemory } from '../likes/likes.ts'
import { DeckActions } from './deck-actions.tsx'
import { DeckCard } from './deck-card.tsx'
import { deckCardBox, deckFrame } from './deck-shape.tsx'
import { Keys } from './keys.tsx'
import { PersonFacts } from './person-facts.tsx'
import { cardSizes } from './photo-stack.tsx'
import { TodayLine } from './today-line.tsx'
import { limitReached, type useDeckActs } from './use-deck-acts.ts'
import type { DeckAct } from './use-deck-keys.ts'
import { stillMotion } from './use-swipe.ts'

const ItemDialog = lazy(() => import('./item-dialog.tsx'))

interface DeckCardsProps {
  deck: DeckInMemory
  /** What the viewer likes. */
  interests: ReadonlySet<string>
  backFrom: Decision | null
  act: ReturnType<typeof useDeckActs>['act']
  onAct: (act: DeckAct) => void
  topCard: () => HTMLElement | null
  keys: boolean
  onKeys: (on: boolean) => void
  onRetry: (() => void) | undefined
}

/** The card on top, the next one beneath it, the acts, and beside or below what the person says. */
export function DeckCards({ deck, interests, backFrom, act, onAct, topCard, ...rest }: DeckCardsProps) {
  const [liking, setLiking] = useState<{ id: string; item: LikedItem }>()
  const facts = useRef<HTMLDivElement>(null)
  const reached = limitReached(deck)
  const person = deck.cards[0] as Profile
  const likeItem = reached ? undefined : (item: LikedItem) => setLiking({ id: person.id, item })
  const toFacts = () => facts.current?.scrollIntoView({ behavior: stillMotion() ? 'auto' : 'smooth' })
  usePreload(deck.cards.slice(2, 4))
  return (
    // The sentence about used up likes needs one more line.
    <div className={classNames(deckFrame, reached && '[--foot:216px]')}>
      <div className="grid gap-5.5">
        <div className={deckCardBox}>
          {deck.cards
            .slice(0, 2)
            .toReversed()
            .map((card) => (
              <DeckCard
                key={card.id}
                person={card}
                top={card === person}
                backFrom={backFrom}
                onDecide={act}
                onLikeItem={likeItem}
                onMore={toFacts}
              />
            ))}
        </div>
        <Foot deck={deck} name={person.name} reached={reached} onAct={onAct} {...rest} />
      </div>
      <div ref={facts} key={person.id} className="animate-fade scroll-mt-[calc(var(--bar)+12px)] max-sm:pb-36">
        <PersonFacts person={person} interests={interests} onLikeItem={likeItem} />
      </div>
      {liking?.id === person.id && (
        <Suspense fallback={null}>
          <ItemDialog
            user={person}
            item={liking.item}
            onClose={() => setLiking(undefined)}
            onLike={(comment) => act('like', topCard(), { item: liking.item, comment })}
          />
        </Suspense>
      )}
    </div>
  )
}

type FootProps = Pick<DeckCardsProps, 'deck' | 'onAct' | 'keys' | 'onKeys' | 'onRetry'> & {
  name: string
  reached: boolean
}

// Under the card; on phones at the bottom of the window, within a thumb's reach.
function Foot({ deck, name, reached, onAct, keys, onKeys, onRetry }: FootProps) {
  const { t } = useTranslation(['discovery', 'ui'])
  const todayId = useId()
  return (
    <div className="grid gap-2 max-sm:pointer-events-none max-sm:fixed max-sm:inset-x-0 max-sm:bottom-[calc(var(--tabs)+env(safe-area-inset-bottom))] max-sm:z-5 max-sm:bg-linear-to-t max-sm:from-paper max-sm:from-72% max-sm:to-transparent max-sm:pt-4 max-sm:pb-3 max-sm:*:pointer-events-auto">
      <DeckActions
        name={name}
        undoable={deck.undoable > 0}
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

/** The first pictures of whoever comes after the next. */
function usePreload(people: readonly Profile[]): void {
  const urls = people.flatMap(({ photos: [photo] }) => (photo ? [photo.url] : [])).join(' ')
  useEffect(() => {
    for (const url of urls.split(' ').filter(Boolean)) {
      const image = new Image()
      image.sizes = cardSizes
      image.srcset = `${url}&w=320 320w, ${url}&w=640 640w`
    }
  }, [urls])
}
