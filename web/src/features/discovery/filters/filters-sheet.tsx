import { distanceFilters, genders, limits } from '@duet/contract/limits.ts'
import type { MyDetails } from '@duet/contract/profiles.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useDebouncedValue } from '../../../platform/query/use-debounced-value.ts'
import { Button } from '../../../ui/button.tsx'
import { Chip } from '../../../ui/form/chip.tsx'
import { SliderRange } from '../../../ui/form/slider-range.tsx'
import { useEdits } from '../../../ui/form/use-edits.ts'
import { SideSheet } from '../../../ui/overlay/side-sheet.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { usePool } from '../discovery.api.ts'
import { FilterConflicts } from './filter-conflicts.tsx'
import { differing, filterFieldsOf, filtersFrom, useUpdateFilters } from './filter-fields.ts'
import { ageContext, type Filters, filtersOf, openFilters } from './filters.ts'
import { PoolMeter, Wideners } from './pool.tsx'
import { WishFields } from './wish-fields.tsx'

interface FiltersSheetProps {
  details: MyDetails
  onClose: () => void
}

export default function FiltersSheet({ details, onClose }: FiltersSheetProps) {
  const { t } = useTranslation('discovery')
  const saved = filtersOf(details)
  const form = useEdits(filterFieldsOf(saved))
  const wanted = filtersFrom(form.fields)
  const update = useUpdateFilters()
  const {
    data: pool,
    isPlaceholderData,
    isLoading,
  } = usePool(JSON.parse(useDebouncedValue(JSON.stringify(wanted), 300)))
  const change = (changes: Partial<Filters>) => form.set(differing(wanted, { ...wanted, ...changes }))
  const { changes, conflicts } = form
  const leave = () => conflicts.length === 0 && onClose()
  const save = () => {
    if (Object.keys(changes).length === 0) return leave()
    update.mutate(changes, {
      onSuccess: (next) => {
        form.settle(changes, filterFieldsOf(filtersOf(next)))
        leave()
      },
    })
  }
  const foot = (
    <>
      <Button variant="text" className="-ms-5" onClick={() => change(openFilters)}>
        {t('sheet.reset')}
      </Button>
      <Button busy={update.isPending} onClick={save}>
        {t('sheet.save')}
      </Button>
    </>
  )
  return (
    <SideSheet
      onClose={onClose}
      edited={Object.keys(form.wanted).length > 0}
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
        <FilterConflicts {...{ saved, conflicts }} onKeep={form.keep} onTake={form.take} />
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
