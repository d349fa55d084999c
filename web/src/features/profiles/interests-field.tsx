import { interestIds } from '@duet/contract/catalogue.ts'
import { foldedText } from '@duet/contract/folded-text.ts'
import { limits } from '@duet/contract/limits.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Chip } from '../../ui/form/chip.tsx'
import { Field } from '../../ui/form/field.tsx'
import { type ProfileFields, toggled } from './profile-fields.ts'

interface InterestsFieldProps {
  value: ProfileFields['interests']
  onChange: (interests: ProfileFields['interests']) => void
}

export function InterestsField({ value, onChange }: InterestsFieldProps) {
  const { t } = useTranslation(['profiles', 'catalogue'])
  const [query, setQuery] = useState('')
  const word = (id: (typeof interestIds)[number]) => t(`catalogue:interests.${id}`)
  const found = interestIds.filter(
    (id) => !value.includes(id) && foldedText(word(id)).includes(foldedText(query.trim())),
  )
  const full = value.length >= limits.interests
  return (
    <div className="grid gap-4">
      {value.length > 0 && (
        <ul aria-label={t('chosen')} className="flex flex-wrap gap-2">
          {value.map((id) => (
            <li key={id}>
              <Chip pressed onClick={() => onChange(toggled(value, id))}>
                {word(id)}
              </Chip>
            </li>
          ))}
        </ul>
      )}
      <Field
        type="search"
        label={t('searchInterests')}
        value={query}
        onChange={({ target }) => setQuery(target.value)}
        hint={full ? t('interestsFull', { count: limits.interests }) : undefined}
      />
      <ul aria-label={t('interests')} className="flex max-h-52 flex-wrap gap-2 overflow-y-auto p-1">
        {found.map((id) => (
          <li key={id}>
            <Chip pressed={false} disabled={full} onClick={() => onChange(toggled(value, id))}>
              {word(id)}
            </Chip>
          </li>
        ))}
        {found.length === 0 && <li className="text-s text-ink-2">{t('noInterest')}</li>}
      </ul>
    </div>
  )
}
