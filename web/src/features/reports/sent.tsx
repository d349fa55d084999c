import { useTranslation } from 'react-i18next'

interface SentProps {
  name: string
  /** True for people I no longer see, whom the list of blocked people doesn't include. */
  isGone: true | undefined
  receipt: string
  blocked: boolean
}

export function Sent({ name, isGone, receipt, blocked }: SentProps) {
  const { t } = useTranslation('reports')
  const steps = [
    t('sent.look'),
    t('sent.silent', { name }),
    ...(blocked ? [t(isGone ? 'sent.blockedGone' : 'sent.blocked', { name })] : []),
  ]
  return (
    <div role="status" className="grid gap-5">
      <p className="rounded-l bg-sunken px-5 py-4">
        <span className="block text-s text-ink-2">{t('sent.receipt')}</span>
        <bdi className="display mt-1 block text-2xl tabular-nums select-all">{receipt}</bdi>
      </p>
      <ul className="grid list-disc gap-2 ps-5 wrap-anywhere marker:text-ink-3">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ul>
    </div>
  )
}
