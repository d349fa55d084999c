import type { Importance } from '@duet/contract/questions.ts'
import { useTranslation } from 'react-i18next'
import { Chip } from '../../ui/form/chip.tsx'
import { Segmented } from '../../ui/form/segmented.tsx'
import type { Question } from './questions.api.ts'

/** In the order in which they grow. */
const importances: readonly Importance[] = ['irrelevant', 'little', 'somewhat', 'very']

interface AcceptsFieldProps {
  question: Question
  value: readonly string[]
  onChange: (accepts: string[]) => void
  /** Whatever the other person answers is fine. */
  irrelevant: boolean
}

/** The answers that are fine in someone else. */
export function AcceptsField({ question: { id, choices }, value, onChange, irrelevant }: AcceptsFieldProps) {
  const { t } = useTranslation('questions')
  const toggle = (choice: string) =>
    onChange(value.includes(choice) ? value.filter((other) => other !== choice) : [...value, choice])
  return (
    <fieldset>
      <legend className="font-[560]">{t('accepts')}</legend>
      <p className="mt-0.5 text-s text-ink-2">{irrelevant ? t('anything') : t('acceptsHint')}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        {choices.map((choice) => (
          <Chip
            key={choice}
            pressed={irrelevant || value.includes(choice)}
            disabled={irrelevant}
            onClick={() => toggle(choice)}
            className="h-auto! min-h-9 py-1.5 text-start whitespace-normal!"
          >
            {t(`catalogue.${id}.choices.${choice}`)}
          </Chip>
        ))}
      </div>
    </fieldset>
  )
}

/** How much the other person's answer matters. */
export function ImportanceField({ value, onChange }: { value: Importance; onChange: (value: Importance) => void }) {
  const { t } = useTranslation('questions')
  return (
    <div>
      <p aria-hidden="true" className="mb-3 font-[560]">
        {t('matters')}
      </p>
      <Segmented
        label={t('matters')}
        value={value}
        onChange={onChange}
        options={importances.map((importance) => ({ value: importance, label: t(`importance.${importance}`) }))}
        className="flex w-full [&_label]:px-2"
      />
    </div>
  )
}
