import type { LikedItem } from '@duet/contract/likes.ts'
import type { Decision, Profile } from '@duet/contract/profiles.ts'
import { ChevronDown, Clock, Heart, X } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../../ui/class-names.ts'
import { PersonCaption } from '../../profiles/profiles.ts'
import { PhotoMenu } from '../../reports/reports.tsx'
import { LikeItemButton } from '../decision-bar/like-item-button.tsx'
import { flyBack } from './fling.ts'
import { PhotoStack } from './photo-stack.tsx'
import { useRemoveFromDeck } from './use-remove-from-deck.ts'
import { useSwipe } from './use-swipe.ts'

interface DeckCardProps {
  person: Profile
  /** True for the card to decide on; the next card is inert beneath it. */
  top: boolean
  likesMe: boolean
  /** The decision that was undone, if undo has just restored this card. */
  backFrom: Decision | null
  onDecide: (decision: Decision, card: HTMLElement) => boolean
  onLikeItem: ((item: LikedItem) => void) | undefined
  onMore: () => void
}

// The browser handles vertical gestures, and the card handles horizontal ones.
const scrolls = 'touch-pan-y touch-pinch-zoom'

export function DeckCard({ person, top, likesMe, backFrom, onDecide, onLikeItem, onMore }: DeckCardProps) {
  const card = useRef<HTMLElement>(null)
  const [index, setIndex] = useState(0)
  const swipe = useSwipe({ card, onDecide: (decision) => Boolean(card.current && onDecide(decision, card.current)) })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the card mounts
  useLayoutEffect(() => {
    if (card.current && backFrom) flyBack(card.current, backFrom)
  }, [])
  const shown = Math.min(index, Math.max(0, person.photos.length - 1))
  const photo = person.photos[shown]
  const leave = useRemoveFromDeck(person.id)
  return (
    <article
      ref={card}
      aria-label={`${person.name}, ${person.age}`}
      aria-hidden={!top || undefined}
      inert={!top}
      tabIndex={-1}
      data-card={top ? 'top' : 'next'}
      {...(top && swipe)}
      className="absolute inset-0 overflow-hidden rounded-xl bg-sunken shadow-one outline-none select-none"
    >
      <div className={classNames('absolute inset-0', scrolls)}>
        <PhotoStack person={person} index={shown} onTurn={setIndex} eager={top} />
      </div>
      {likesMe && <LikesMe under={person.photos.length > 1} />}
      {photo && (
        <PhotoMenu
          person={person}
          fileName={photo.fileName}
          place={shown + 1}
          onBlocked={leave}
          className={person.photos.length > 1 ? 'top-6.5' : 'top-3'}
        />
      )}
      <Plate person={person} onMore={onMore} />
      {photo && onLikeItem && (
        <LikeItemButton kind="photo" onLike={() => onLikeItem({ kind: 'photo', fileName: photo.fileName })} />
      )}
      <Stamps />
    </article>
  )
}

function LikesMe({ under }: { under: boolean }) {
  const { t } = useTranslation('discovery')
  return (
    <p
      className={classNames(
        'pointer-events-none absolute start-4.5 flex h-9 items-center gap-1.5 rounded-full bg-accent-soft px-3.5 text-s font-[620] text-accent shadow-one',
        under ? 'top-7.5' : 'top-4',
      )}
    >
      <Heart aria-hidden="true" className="size-4! fill-current" />
      {t('deck.likesYou')}
    </p>
  )
}

function Plate({ person, onMore }: { person: Profile; onMore: () => void }) {
  const { t } = useTranslation('discovery')
  return (
    <div className="scrim pointer-events-none absolute inset-x-0 bottom-0 pt-21 text-white">
      <div className={classNames('pointer-events-auto relative ps-6.5 pe-20 pb-6', scrolls)}>
        <PersonCaption person={person} heading="h2" texts="discovery" />
        <button
          type="button"
          aria-label={t('deck.more', { name: person.name })}
          onClick={onMore}
          className="absolute inset-0 flex items-end justify-center rounded-xl pb-0.5 -outline-offset-4 outline-white lg:hidden"
        >
          <ChevronDown aria-hidden="true" className="size-5! opacity-80" />
        </button>
      </div>
    </div>
  )
}

const stamps = [
  { decision: 'like', Icon: Heart, place: 'left-5 top-8', look: 'bg-accent text-on-accent [&_svg]:fill-current' },
  { decision: 'pass', Icon: X, place: 'right-5 top-8', look: 'bg-surface text-ink' },
  { decision: 'later', Icon: Clock, place: 'inset-x-0 bottom-36 mx-auto', look: 'bg-surface text-ink' },
] as const

function Stamps() {
  const { t } = useTranslation('discovery')
  return stamps.map(({ decision, Icon, place, look }) => (
    <span
      key={decision}
      aria-hidden="true"
      data-stamp={decision}
      className={classNames(
        'pointer-events-none absolute flex opacity-0 h-13 w-fit items-center gap-2.5 rounded-full px-5 text-l font-[620] shadow-one',
        place,
        look,
      )}
    >
      <Icon />
      {t(`deck.${decision}`)}
    </span>
  ))
}
