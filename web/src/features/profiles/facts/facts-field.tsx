import { digitsOf } from '@duet/contract/digits.ts'
import { childrenWishes, diets, faiths, frequencies, limits } from '@duet/contract/limits.ts'
import { useTranslation } from 'react-i18next'
import { Field } from '../../../ui/form/field.tsx'
import { Select } from '../../../ui/form/select.tsx'
import { LanguagesField } from '../languages-field.tsx'
import type { ProfileFields, SetField } from '../profile-fields.ts'
import { feetOf, knowsFeet } from './fact-words.ts'

const choices = {
  children: childrenWishes,
  smoking: frequencies,
  drinking: frequencies,
  diet: diets,
  faith: faiths,
} as const
const chosenFacts = ['children', 'smoking', 'drinking', 'diet', 'faith'] as const

interface FactsFieldProps {
  fields: ProfileFields
  set: SetField
  heightError: string | undefined
  onHeightBlur: () => void
}

export function FactsField({ fields, set, heightError, onHeightBlur }: FactsFieldProps) {
  const { t } = useTranslation(['profiles', 'catalogue'])
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <HeightField value={fields.heightCm} onChange={(cm) => set('heightCm', cm)} {...{ heightError, onHeightBlur }} />
      {chosenFacts.map((fact) => (
        <Select
          key={fact}
          label={t(`facts.${fact}`)}
          value={fields[fact] ?? ''}
          options={[
            { value: '', label: t('notSaid') },
            ...choices[fact].map((id) => ({ value: id, label: t(`catalogue:${fact}.${id}`) })),
          ]}
          onChange={({ target }) => set(fact, choices[fact].find((id) => id === target.value) ?? null)}
        />
      ))}
      <div className="sm:col-span-2">
        <LanguagesField value={fields.languages} onChange={(languages) => set('languages', languages)} />
      </div>
    </div>
  )
}

interface HeightFieldProps extends Pick<FactsFieldProps, 'heightError' | 'onHeightBlur'> {
  value: number | null
  onChange: (cm: number | null) => void
}

function HeightField({ value, onChange, heightError, onHeightBlur }: HeightFieldProps) {
  const { t } = useTranslation('profiles')
  const fits = value !== null && value >= limits.heightMin && value <= limits.heightMax
  return (
    <Field
      label={t('facts.height')}
      inputMode="numeric"
      value={value ?? ''}
      hint={fits && knowsFeet(navigator.language) ? feetOf(value) : undefined}
      error={heightError && t(heightError, { min: limits.heightMin, max: limits.heightMax })}
      end={<span className="pe-3 text-ink-2">{t('cm')}</span>}
      onChange={({ target }) => onChange(numberIn(target.value))}
      onBlur={onHeightBlur}
    />
  )
}

function numberIn(text: string): number | null {
  const digits = digitsOf(text).slice(0, 3)
  return digits ? Number(digits) : null
}
