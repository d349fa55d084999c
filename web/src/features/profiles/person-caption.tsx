import type { Profile } from '@duet/contract/profiles.ts'
import { MapPin } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../ui/class-names.ts'
import { VerifiedMark } from '../../ui/verified-mark.tsx'

interface PersonCaptionProps {
  person: Profile
  heading: 'h1' | 'h2'
  texts: 'profiles' | 'discovery'
}

export function PersonCaption({ person, heading: Heading, texts }: PersonCaptionProps) {
  const { t } = useTranslation(texts)
  const { name, age, distanceKm, area, active, verified } = person
  const where = distanceKm ? t('within', { km: distanceKm }) : area
  return (
    <>
      {/* Long names use a smaller font, so that the age stays visible. */}
      <Heading
        className={classNames(
          'display line-clamp-3 -mb-[.12em] pb-[.12em] wrap-anywhere',
          name.length > 18 ? 'text-[26px]' : 'text-[36px]',
        )}
      >
        <bdi>{name}</bdi> <span className="font-normal opacity-92">{age}</span>
        {verified && <VerifiedMark label={t('verified')} />}
      </Heading>
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
    </>
  )
}
