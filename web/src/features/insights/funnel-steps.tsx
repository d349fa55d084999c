import type { Funnel } from '@duet/contract/insights.ts'
import { useTranslation } from 'react-i18next'
import { Bar } from './bar.tsx'
import { useNumbers } from './numbers.ts'

/** The bars are relative to the people within distance, because relative to everyone they would be too short to see. */
export function FunnelSteps({ funnel: { everybody, steps, costliest } }: { funnel: Funnel }) {
  const { t } = useTranslation('insights')
  const near = steps[0]?.remaining ?? 0
  const before = [everybody, ...steps.map(({ remaining }) => remaining)]
  return (
    <ol className="grid gap-4">
      <Step label={t('funnel.everybody')} count={everybody} />
      {steps.map(({ filter, remaining }, place) => (
        <Step
          key={filter}
          label={t(`funnel.filter.${filter}`)}
          count={remaining}
          share={near > 0 ? remaining / near : 0}
          before={before[place] ?? 0}
          strong={filter === costliest}
        />
      ))}
    </ol>
  )
}

interface StepProps {
  label: string
  count: number
  /** The share of the people within distance; undefined for no bar. */
  share?: number
  before?: number
  strong?: boolean
}

function Step({ label, count, share, before, strong }: StepProps) {
  const { t } = useTranslation('insights')
  const { whole, percent } = useNumbers()
  const lost = before ? (before - count) / before : 0
  return (
    <li>
      <div className="mb-1.5 flex flex-wrap items-baseline gap-x-3">
        <span className={strong ? 'font-[620] text-accent' : ''}>{label}</span>
        {before !== undefined && before > 0 && (
          <span className="text-s text-ink-2">
            {lost > 0 ? t('funnel.lost', { share: percent(lost) }) : t('funnel.kept')}
          </span>
        )}
        <span className="ms-auto font-[620]">{whole(count)}</span>
      </div>
      {share !== undefined && <Bar share={share} strong={strong ?? false} size="l" />}
    </li>
  )
}
