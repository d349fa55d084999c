import type { Like } from '@duet/contract/likes.ts'
import { MapPin } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from '../../platform/address.tsx'
import { classNames } from '../../ui/class-names.ts'
import { NoPhoto } from '../../ui/no-photo.tsx'
import { Photograph } from '../../ui/photograph.tsx'
import { Folded } from '../privacy/privacy.tsx'
import { LikeActs } from './like-acts.tsx'
import type { Tab } from './likes-lists.api.ts'
import type { Act } from './use-answers.ts'

/** Characters from which a comment is cut. */
const longComment = 90

interface LikeCardProps {
  like: Like
  tab: Tab
  eager: boolean
  onAct: (act: Act) => void
}

/** Somebody in a list of likes: their picture, what was liked, what can be done. */
export function LikeCard({ like, tab, eager, onAct }: LikeCardProps) {
  const { user } = like
  const [photo] = user.photos
  return (
    <li className="flex animate-fade flex-col overflow-hidden rounded-l bg-surface shadow-one">
      <Link
        to={`/profile/${user.id}`}
        // Where a card beside it says more, the picture takes the room.
        className="relative block aspect-3/4 grow bg-sunken focus-visible:-outline-offset-4 focus-visible:outline-white"
      >
        {photo ? (
          <Photograph
            photo={photo}
            eager={eager}
            sizes="(min-width: 640px) 260px, 50vw"
            fallbackAlt={user.name}
            className="absolute! inset-0"
          />
        ) : (
          <span className="absolute inset-0">
            <NoPhoto name={user.name} />
          </span>
        )}
        <Plate user={user} />
      </Link>
      <Said like={like} tab={tab} />
      <LikeActs {...{ like, tab, onAct }} />
    </li>
  )
}

function Plate({ user: { name, age, distanceKm, area } }: Pick<Like, 'user'>) {
  const { t } = useTranslation('likes')
  const where = distanceKm ? t('within', { km: distanceKm }) : area
  return (
    <span className="scrim absolute inset-x-0 bottom-0 block px-3.5 pt-14 pb-3 text-white">
      <span className="display flex flex-wrap items-baseline-last gap-x-1.5 text-xl">
        <span className="line-clamp-2 min-w-0 pb-[.12em] -mb-[.12em] wrap-anywhere">{name}</span>{' '}
        <span className="font-normal opacity-90">{age}</span>
      </span>
      {where && (
        <span className="mt-1 flex items-center gap-1.5 text-[13px] font-medium">
          <MapPin aria-hidden="true" className="size-4" />
          <span className="truncate">{where}</span>
        </span>
      )}
    </span>
  )
}

/** The one thing that was liked, and the words that came with it. */
function Said({ like: { user, item, comment }, tab }: Pick<LikeCardProps, 'like' | 'tab'>) {
  const { t } = useTranslation('likes')
  if (!item && !comment) return null
  const side = tab === 'received' ? 'mine' : 'theirs'
  return (
    <div className="grid gap-2.5 px-3.5 pt-3.5">
      {item && (
        <div className="flex items-start gap-2.5">
          {item.kind === 'photo' && item.photo && (
            <span className="block size-11 flex-none overflow-hidden rounded-s">
              <Photograph photo={item.photo} sizes="44px" fallbackAlt={t(`liked.${side}.photo`)} />
            </span>
          )}
          <p className="min-w-0 flex-1 text-[13px]/[1.4] text-ink-2">
            {t(`liked.${side}.${item.kind}`)}
            {item.kind === 'prompt' && (
              <q
                dir="auto"
                className="mt-0.5 line-clamp-3 font-display text-m/[1.3] text-ink wrap-anywhere before:content-none after:content-none"
              >
                {item.answer}
              </q>
            )}
          </p>
        </div>
      )}
      {comment && <Comment id={user.id} text={comment} mine={tab === 'sent'} />}
    </div>
  )
}

/** The words of a like. Long ones are cut, so that the cards beside them stay together. */
function Comment({ id, text, mine }: { id: string; text: string; mine: boolean }) {
  const { t } = useTranslation('likes')
  const [open, setOpen] = useState(false)
  const isLong = text.length > longComment
  return (
    <div className="w-fit max-w-full rounded-m rounded-es-[6px] bg-sunken px-3 py-2 text-[15px]/[1.4]">
      <p dir="auto" className={classNames('wrap-anywhere whitespace-pre-line', isLong && !open && 'line-clamp-4')}>
        {mine && <span className="sr-only">{t('youWrote')} </span>}
        {mine ? (
          text
        ) : (
          <Folded id={`like ${id}`} text={text}>
            {text}
          </Folded>
        )}
      </p>
      {isLong && (
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="relative mt-1 text-s font-[580] text-accent after:absolute after:-inset-x-3 after:-inset-y-3"
        >
          {t(open ? 'less' : 'more')}
        </button>
      )}
    </div>
  )
}
