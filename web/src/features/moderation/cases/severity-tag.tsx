import { useTranslation } from 'react-i18next'
import { classNames } from '../../../ui/class-names.ts'

const looks = {
  urgent: 'bg-bad text-paper',
  high: 'text-bad inset-ring-[1.5px] inset-ring-bad',
  normal: 'bg-sunken text-ink-2',
} as const

export function SeverityTag({ severity }: { severity: keyof typeof looks }) {
  const { t } = useTranslation('moderation')
  return (
    <span className={classNames('rounded-full px-2.5 py-0.5 text-xs font-[620]', looks[severity])}>
      {t(`severity.${severity}`)}
    </span>
  )
}
