import type { Importance } from '@duet/contract/questions.ts'
import { useTranslation } from 'react-i18next'
import { Chip } from '../../ui/form/chip.tsx'
import type { Question } from './questions.api.ts'

/** In ascending order. */
const importances: readonly Importance[] = ['irrelevant', 'little', 'somewhat', 'very']

interface AcceptsFieldProps {
  question: Question
  value: readonly string[]
  onChange: (accepts: string[]) => void
}

export function AcceptsField({ question: { id, choices }, value, onChange }: AcceptsFieldProps) {
  const { t } = useTranslation('questions')
  const toggle = (choice: string) =>
    onChange(value.includes(choice) ? value.filter((other) => other !== choice) : [...value, choice])
  return (
    <fieldset>
      <legend className="font-[560]">{t('accepts')}</legend>
      <p className="mt-0.5 text-s text-ink-2">{t('acceptsHint')}</p>
      <div className="mt-3 flex flex-wrap gap-x-2 gap-y-2.5">
        {choices.map((choice) => (
          <Chip
            key={choice}
            pressed={value.includes(choice)}
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

interface ImportanceFieldProps {
  value: Importance | undefined
  hint: string | undefined
  onChoose: (value: Importance) => void
}

/**
 * Buttons rather than radio buttons, because choosing one may lead to the next question, which arrow keys mustn't do.
 */
export function ImportanceField({ value, hint, onChoose }: ImportanceFieldProps) {
  const { t } = useTranslation('questions')
  return (
    <fieldset>
      <legend className="font-[560]">{t('matters')}</legend>
      {hint && <p className="mt-0.5 text-s text-ink-2">{hint}</p>}
      <div className="mt-3 flex rounded-full bg-sunken p-1">
        {importances.map((importance) => (
          <button
            key={importance}
            type="button"
            aria-pressed={value === importance}
            onClick={() => onChoose(importance)}
            className="relative h-9 flex-1 rounded-full px-1.5 text-[15px] font-[560] whitespace-nowrap text-ink-2 transition after:absolute after:-inset-y-1 after:inset-x-0 hover:text-ink aria-pressed:bg-raised aria-pressed:text-ink aria-pressed:shadow-[0_1px_3px_rgb(60_40_25/.14)]"
          >
            {t(`importance.${importance}`)}
          </button>
        ))}
      </div>
    </fieldset>
  )
}
