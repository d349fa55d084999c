import type { ReportReason } from '@duet/contract/reports.ts'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'

const reasons: readonly ReportReason[] = [
  'scam',
  'fake_profile',
  'harassment',
  'threats',
  'sextortion',
  'hate',
  'sexual_content',
  'underage',
  'offline_harm',
  'spam',
  'other',
]

interface ReasonListProps {
  chosen: ReportReason | undefined
  onChoose: (reason: ReportReason) => void
}

export function ReasonList({ chosen, onChoose }: ReasonListProps) {
  const { t } = useTranslation('reports')
  const name = useId()
  return (
    <fieldset>
      <legend className="mb-2 text-s font-[540] text-ink-2">{t('what')}</legend>
      <div className="-mx-3 grid sm:grid-cols-2">
        {reasons.map((reason) => (
          <label
            key={reason}
            className="flex min-h-11 cursor-pointer items-center gap-3 rounded-s px-3 py-2 leading-snug font-medium transition hover:bg-sunken has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={name}
              value={reason}
              checked={chosen === reason}
              onChange={() => onChoose(reason)}
              className="size-5 flex-none appearance-none rounded-full border-[1.5px] border-ink-3 outline-none transition-all checked:border-[6px] checked:border-accent"
            />
            {t(`reason.${reason}`)}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
