import type { ProfileCard } from '@duet/contract/profiles.ts'
import { MapPin } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from '../../platform/address/address.tsx'
import { NoPhoto } from '../../ui/photo/no-photo.tsx'
import { Photograph } from '../../ui/photo/photograph.tsx'
import { useReasonWords } from './reasons.tsx'

interface PersonCardProps {
  person: ProfileCard
  interests: ReadonlySet<string>
  eager: boolean
}

export function PersonCard({ person, interests, eager }: PersonCardProps) {
  const { t } = useTranslation('discovery')
  const [photo] = person.photos
  const shared = person.interests.filter((interest) => interests.has(interest)).length
  const say = useReasonWords()
  // The caption already shows distance and activity, so look for another reason.
  const telling = person.why.filter(({ kind }) => kind !== 'near' && kind !== 'active_today')
  const reason = telling.map(say).find(Boolean) ?? (shared > 0 && t('shared', { count: shared }))
  return (
    <li>
      <Link
        to={`/profile/${person.id}`}
        className="group relative block aspect-3/4 overflow-hidden rounded-l bg-sunken shadow-one transition duration-(--calm) hover:-translate-y-0.5 active:translate-y-0 active:scale-[.985]"
      >
        {photo ? (
          <Photograph photo={photo} eager={eager} sizes="(min-width: 640px) 300px, 50vw" fallbackAlt={person.name} />
        ) : (
          <NoPhoto name={person.name} />
        )}
        {reason && (
          <span className="absolute start-2.5 top-2.5 me-2.5 rounded-m bg-accent-soft px-2.5 py-1 text-xs font-semibold text-accent">
            {reason}
          </span>
        )}
        <Plate person={person} />
      </Link>
    </li>
  )
}

function Plate({ person: { name, age, distanceKm, area, active } }: { person: ProfileCard }) {
  const { t } = useTranslation('discovery')
  const where = distanceKm ? t('within', { km: distanceKm }) : area
  const recent = active === 'online' || active === 'today'
  return (
    <span className="scrim absolute inset-x-0 bottom-0 block px-3.5 pt-14 pb-3 text-white sm:px-4.5 sm:pb-4">
      {/* The age and the online dot stay visible even if the name is long. */}
      <span className="display flex flex-wrap items-baseline-last gap-x-1.5 text-xl sm:gap-x-2 sm:text-2xl">
        <span className="line-clamp-2 min-w-0 pb-[.12em] -mb-[.12em] wrap-anywhere">
          <bdi>{name}</bdi>
        </span>{' '}
        <span className="font-normal opacity-90">{age}</span>
        {recent && (
          <span
            role="img"
            aria-label={t(`active.${active}`)}
            className="size-2 flex-none self-center rounded-full bg-[#7fe0a9]"
          />
        )}
      </span>
      {where && (
        <span className="mt-1 flex items-center gap-1.5 text-[13px] font-medium sm:text-s">
          <MapPin aria-hidden="true" className="size-4" />
          <span className="truncate">{where}</span>
        </span>
      )}
    </span>
  )
}
