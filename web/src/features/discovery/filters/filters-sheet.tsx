import { distanceFilters, genders, limits } from '@duet/contract/limits.ts'
import type { MyDetails } from '@duet/contract/profiles.ts'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/button.tsx'
import { Chip } from '../../../ui/form/chip.tsx'
import { SliderRange } from '../../../ui/form/slider-range.tsx'
import { SideSheet } from '../../../ui/overlay/side-sheet.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useUpdateUser } from '../../profiles/profiles.ts'
import { usePool } from '../discovery.api.ts'
import { ageContext, type Filters, filtersOf, openFilters } from './filters.ts'
import { PoolMeter, Wideners } from './pool.tsx'
import { WishFields } from './wish-fields.tsx'

interface FiltersSheetProps {
  details: MyDetails
  onClose: () => void
}

/** Everything that decides who I see, with a live count of how many they are. */
export default function FiltersSheet({ details, onClose }: FiltersSheetProps) {
  const { t } = useTranslation('discovery')
  const [wanted, setWanted] = useState<Filters>(() => filtersOf(details))
  const update = useUpdateUser()
  const { data: pool, isPlaceholderData, isLoading } = usePool(useLater(wanted, 300))
  const change = (changes: Partial<Filters>) => setWanted((now) => ({ ...now, ...changes }))
  const foot = (
    <>
      <Button variant="text" className="-ms-5" onClick={() => change(openFilters)}>
        {t('sheet.reset')}
      </Button>
      <Button busy={update.isPending} onClick={() => update.mutate(wanted, { onSuccess: onClose })}>
        {t('sheet.save')}
      </Button>
    </>
  )
  return (
    <SideSheet
      onClose={onClose}
      title={t('sheet.title')}
      head={
        pool ? (
          <PoolMeter pool={pool} measuring={isPlaceholderData} />
        ) : (
          isLoading && <Skeleton className="h-20 rounded-l" />
        )
      }
      foot={foot}
    >
      <div className="grid gap-7">
        <p className="text-s text-ink-2">{t('sheet.both')}</p>
        {update.isError && (
          <p role="alert" className="text-s font-medium text-bad">
            {t('sheet.failed')}
          </p>
        )}
        <WhoFields wanted={wanted} onChange={change} />
        <WishFields preferences={wanted.preferences} onChange={(preferences) => change({ preferences })} />
        {pool && <Wideners wideners={pool.wideners} filters={wanted} onWiden={change} />}
      </div>
    </SideSheet>
  )
}

/** A value a moment after it last changed. */
function useLater<T>(value: T, ms: number): T {
  const [later, setLater] = useState(value)
  useEffect(() => {
    const wait = setTimeout(() => setLater(value), ms)
    return () => clearTimeout(wait)
  }, [value, ms])
  return later
}

interface WhoFieldsProps {
  wanted: Filters
  onChange: (changes: Partial<Filters>) => void
}

function WhoFields({ wanted, onChange }: WhoFieldsProps) {
  const { t } = useTranslation(['discovery', 'catalogue'])
  const { ageMin, ageMax, maxDistanceKm, interestedIn } = wanted
  const toggled = (gender: (typeof genders)[number]) =>
    interestedIn.includes(gender) ? interestedIn.filter((other) => other !== gender) : [...interestedIn, gender]
  return (
    <>
      <Chips title={t('sheet.meet')} hint={t('sheet.meetHint')}>
        {genders.map((gender) => (
          <Chip
            key={gender}
            pressed={interestedIn.includes(gender)}
            onClick={() => onChange({ interestedIn: toggled(gender) })}
          >
            {t(`catalogue:meet.${gender}`)}
          </Chip>
        ))}
      </Chips>
      <SliderRange
        label={t('sheet.ages')}
        text={t('sheet.agesText', { min: ageMin, max: ageMax, context: ageContext(ageMax) })}
        thumbs={[t('sheet.youngest'), t('sheet.oldest')]}
        min={limits.adultAge}
        max={limits.ageFilterMax}
        value={[ageMin, ageMax]}
        onChange={([from = ageMin, to = ageMax]) => onChange({ ageMin: from, ageMax: to })}
      />
      <Chips title={t('sheet.distance')}>
        {[...distanceFilters, null].map((km) => (
          <Chip key={km} pressed={maxDistanceKm === km} onClick={() => onChange({ maxDistanceKm: km })}>
            {km ? t('sheet.km', { km }) : t('sheet.anywhere')}
          </Chip>
        ))}
      </Chips>
    </>
  )
}

function Chips({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <fieldset>
      <legend className="mb-2 text-s font-[540] text-ink-2">{title}</legend>
      <div className="flex flex-wrap gap-2">{children}</div>
      {hint && <p className="mt-1.5 text-s text-ink-2">{hint}</p>}
    </fieldset>
  )
}
