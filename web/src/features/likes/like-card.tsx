import type { Like } from '@duet/contract/likes.ts'
import { MapPin } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from '../../platform/address/address.tsx'
import { NoPhoto } from '../../ui/photo/no-photo.tsx'
import { Photograph } from '../../ui/photo/photograph.tsx'
import { LikeActs } from './like-acts.tsx'
import { LikedWith } from './liked-with.tsx'
import type { Tab } from './likes-lists.api.ts'
import type { Act } from './use-answers.ts'

interface LikeCardProps {
  like: Like
  tab: Tab
  eager: boolean
  onAct: (act: Act) => void
}

export function LikeCard({ like, tab, eager, onAct }: LikeCardProps) {
  const { user } = like
  const [photo] = user.photos
  return (
    <li className="flex animate-fade flex-col overflow-hidden rounded-l bg-surface shadow-one">
      <Link
        to={`/profile/${user.id}`}
        // The picture grows to match a taller card beside it. Without `w-full`, WebKit would also widen it to keep its
        // aspect ratio.
        className="relative block aspect-3/4 w-full grow bg-sunken focus-visible:-outline-offset-4 focus-visible:outline-white"
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
      <LikedWith like={like} side={tab === 'received' ? 'mine' : 'theirs'} className="px-3.5 pt-3.5" />
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
        <span className="line-clamp-2 min-w-0 pb-[.12em] -mb-[.12em] wrap-anywhere">
          <bdi>{name}</bdi>
        </span>{' '}
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
