import { distanceFilters, genders, limits } from '@duet/contract/limits.ts'
import type { MyDetails } from '@duet/contract/profiles.ts'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Select } from '../../ui/select.tsx'
import { SliderRange } from '../../ui/slider-range.tsx'
import { useUpdateUser } from '../profiles/profiles.ts'

type Preferences = Pick<MyDetails, 'ageMin' | 'ageMax' | 'maxDistanceKm' | 'interestedIn'>

interface PreferencesSheetProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  details: MyDetails
}

/** Who I see: ages, distance, whom I want to meet. Saved with the profile. */
export function PreferencesSheet(props: PreferencesSheetProps) {
  return props.open ? (
    <Suspense fallback={null}>
      <Sheet {...props} />
    </Suspense>
  ) : null
}

function Sheet({ open, onOpenChange, details }: PreferencesSheetProps) {
  const { t } = useTranslation('discovery')
  const { ageMin, ageMax, maxDistanceKm, interestedIn } = details
  const [wanted, setWanted] = useState<Preferences>({ ageMin, ageMax, maxDistanceKm, interestedIn })
  const update = useUpdateUser()
  const save = () => update.mutate(wanted, { onSuccess: () => onOpenChange(false) })
  const foot = (
    <Button wide busy={update.isPending} onClick={save}>
      {t('sheet.save')}
    </Button>
  )
  return (
    <Dialog {...{ open, onOpenChange, foot }} title={t('sheet.title')} description={t('sheet.both')}>
      <div className="grid gap-6">
        <Fields wanted={wanted} onChange={(changes) => setWanted({ ...wanted, ...changes })} />
        {update.isError && (
          <p role="alert" className="text-s font-medium text-bad">
            {t('sheet.failed')}
          </p>
        )}
      </div>
    </Dialog>
  )
}

interface FieldsProps {
  wanted: Preferences
  onChange: (changes: Partial<Preferences>) => void
}

function Fields({ wanted, onChange }: FieldsProps) {
  const { t } = useTranslation(['discovery', 'catalogue'])
  const { ageMin, ageMax, maxDistanceKm, interestedIn } = wanted
  const distances = [
    ...distanceFilters.map((km) => ({ value: String(km), label: t('sheet.km', { km }) })),
    { value: '', label: t('sheet.anywhere') },
  ]
  const toggle = (gender: (typeof genders)[number]) =>
    interestedIn.includes(gender) ? interestedIn.filter((other) => other !== gender) : [...interestedIn, gender]
  return (
    <>
      <SliderRange
        label={t('sheet.ages')}
        text={t('sheet.agesText', { min: ageMin, max: ageMax })}
        thumbs={[t('sheet.youngest'), t('sheet.oldest')]}
        min={limits.adultAge}
        max={limits.ageFilterMax}
        value={[ageMin, ageMax]}
        onChange={([from = ageMin, to = ageMax]) => onChange({ ageMin: from, ageMax: to })}
      />
      <Select
        label={t('sheet.distance')}
        options={distances}
        value={String(maxDistanceKm ?? '')}
        onChange={({ target }) =>
          onChange({ maxDistanceKm: distanceFilters.find((km) => String(km) === target.value) ?? null })
        }
      />
      <fieldset>
        <legend className="mb-2 text-s font-[540] text-ink-2">{t('sheet.meet')}</legend>
        <div className="flex flex-wrap gap-2">
          {genders.map((gender) => (
            <Chip
              key={gender}
              pressed={interestedIn.includes(gender)}
              onClick={() => onChange({ interestedIn: toggle(gender) })}
            >
              {t(`catalogue:meet.${gender}`)}
            </Chip>
          ))}
        </div>
      </fieldset>
    </>
  )
}
