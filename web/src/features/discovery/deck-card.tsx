import type { LikedItem } from '@duet/contract/likes.ts'
import type { Decision, Profile } from '@duet/contract/profiles.ts'
import { ChevronDown, Clock, Heart, MapPin, X } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { VerifiedMark } from '../../ui/verified-mark.tsx'
import { PhotoMenu } from '../reports/reports.tsx'
import { flyBack } from './fling.ts'
import { PhotoStack } from './photo-stack.tsx'
import { useLeaveDeck } from './use-leave-deck.ts'
import { useSwipe } from './use-swipe.ts'

interface DeckCardProps {
  person: Profile
  /** The one to decide on; the next lies beneath it, out of reach. */
  top: boolean
  /** The decision that undo took back, when the card comes back from it. */
  backFrom: Decision | null
  onDecide: (decision: Decision, card: HTMLElement) => boolean
  onLikeItem: ((item: LikedItem) => void) | undefined
  onMore: () => void
}

/** Somebody's card: it follows the finger, and the picture turns at a tap. */
export function DeckCard({ person, top, backFrom, onDecide, onLikeItem, onMore }: DeckCardProps) {
  const { t } = useTranslation('discovery')
  const card = useRef<HTMLElement>(null)
  const [index, setIndex] = useState(0)
  const swipe = useSwipe({ card, onDecide: (decision) => Boolean(card.current && onDecide(decision, card.current)) })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it arrives
  useLayoutEffect(() => {
    if (card.current && backFrom) flyBack(card.current, backFrom)
  }, [])
  const shown = Math.min(index, Math.max(0, person.photos.length - 1))
  const photo = person.photos[shown]
  const leave = useLeaveDeck(person.id)
  return (
    <article
      ref={card}
      aria-label={`${person.name}, ${person.age}`}
      aria-hidden={!top || undefined}
      inert={!top}
      tabIndex={-1}
      data-card={top ? 'top' : 'next'}
      {...(top && swipe)}
      className="absolute inset-0 touch-[pan-y_pinch-zoom] overflow-hidden rounded-xl bg-sunken shadow-one outline-none select-none"
    >
      <div className="absolute inset-0 touch-pinch-zoom">
        <PhotoStack person={person} index={shown} onTurn={setIndex} eager={top} />
      </div>
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
        <IconButton
          label={t('item.likePhoto')}
          aria-haspopup="dialog"
          icon={<Heart aria-hidden="true" />}
          onClick={() => onLikeItem({ kind: 'photo', fileName: photo.fileName })}
          className="absolute! end-5 bottom-5.5 bg-surface text-accent! shadow-one hover:bg-accent hover:text-on-accent!"
        />
      )}
      <Stamps />
    </article>
  )
}

// The plate scrolls the page under a finger; the picture above it is thrown.
function Plate({ person, onMore }: { person: Profile; onMore: () => void }) {
  const { t } = useTranslation('discovery')
  const { name, age, distanceKm, area, active, verified } = person
  const where = distanceKm ? t('within', { km: distanceKm }) : area
  return (
    <div className="scrim pointer-events-none absolute inset-x-0 bottom-0 pt-21 text-white">
      <div className="pointer-events-auto relative ps-6.5 pe-20 pb-6">
        {/* A long name gets smaller, so that the age stays in sight. */}
        <h2
          className={classNames(
            'display line-clamp-3 -mb-[.12em] pb-[.12em] wrap-anywhere',
            name.length > 18 ? 'text-[26px]' : 'text-[36px]',
          )}
        >
          <bdi>{name}</bdi> <span className="font-normal opacity-92">{age}</span>
          {verified && <VerifiedMark label={t('verified')} />}
        </h2>
        <p className="mt-2 flex flex-wrap gap-x-3.5 text-[15px] font-medium">
          {where && (
            <span className="inline-flex items-center gap-1.5">
              <MapPin aria-hidden="true" className="size-4!" />
              {where}
            </span>
          )}
          {active !== 'earlier' && (
            <span className="inline-flex items-center gap-1.5">
              <span aria-hidden="true" className="size-2 rounded-full bg-[#7fe0a9]" />
              {t(`active.${active}`)}
            </span>
          )}
        </p>
        <button
          type="button"
          aria-label={t('deck.more', { name })}
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

/** What will happen when the card is let go here. */
function Stamps() {
  const { t } = useTranslation('discovery')
  return stamps.map(({ decision, Icon, place, look }) => (
    <span
      key={decision}
      aria-hidden="true"
      style={{ opacity: `var(--${decision}, 0)`, scale: `calc(.8 + .2 * var(--${decision}, 0))` }}
      className={classNames(
        'pointer-events-none absolute flex h-13 w-fit items-center gap-2.5 rounded-full px-5 text-l font-[620] shadow-one',
        place,
        look,
      )}
    >
      <Icon />
      {t(`deck.${decision}`)}
    </span>
  ))
}
