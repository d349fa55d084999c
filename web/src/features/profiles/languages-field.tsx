import { languages as allLanguages, limits } from '@duet/contract/limits.ts'
import { byName } from '@duet/contract/order.ts'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { RemovableChip } from '../../ui/form/chip.tsx'
import { Select } from '../../ui/form/select.tsx'
import { languageName } from './facts/fact-words.ts'
import type { ProfileFields } from './profile-fields.ts'

type Codes = ProfileFields['languages']

export function LanguagesField({ value, onChange }: { value: Codes; onChange: (languages: Codes) => void }) {
  const { t, i18n } = useTranslation('profiles')
  const name = (code: string) => languageName(code, i18n.language)
  const free = useByName(i18n.language).filter((code) => !value.includes(code))
  const full = value.length >= limits.languages
  const add = (chosen: string) => {
    const code = free.find((one) => one === chosen)
    if (code) onChange([...value, code])
  }
  return (
    <div className="grid gap-3">
      <Select
        label={t('facts.languages')}
        value=""
        disabled={full}
        hint={full ? t('languagesFull', { count: limits.languages }) : undefined}
        options={[{ value: '', label: t('addLanguage') }, ...free.map((code) => ({ value: code, label: name(code) }))]}
        onChange={({ target }) => add(target.value)}
      />
      {value.length > 0 && (
        <ul aria-label={t('facts.languages')} className="flex flex-wrap gap-2">
          {value.map((code) => (
            <li key={code}>
              <RemovableChip label={name(code)} onRemove={() => onChange(value.filter((other) => other !== code))} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function useByName(language: string): Codes {
  return useMemo(() => allLanguages.toSorted(byName(language, (code) => languageName(code, language))), [language])
}
