import type { Newcomers } from '@duet/contract/insights.ts'
import { useTranslation } from 'react-i18next'
import { Bar } from './bar.tsx'
import { useNumbers } from './numbers.ts'
import { Nothing, Panel } from './panel.tsx'

export function NewcomersCard({ newcomers }: { newcomers: Newcomers }) {
  const { t } = useTranslation('insights')
  const { whole, percent } = useNumbers()
  const { people, guarantee, hours, median, reached, steps } = newcomers
  const promise = { n: whole(guarantee), hours: whole(hours) }
  const most = Math.max(1, ...steps.map((step) => step.people))
  return (
    <Panel title={t('newcomers.title')} hint={t('newcomers.hint', promise)}>
      {reached === null || median === null ? (
        <Nothing>{t('newcomers.none', promise)}</Nothing>
      ) : (
        <>
          <p className="flex flex-wrap items-baseline gap-x-2.5">
            <span className="text-2xl leading-tight font-[560] tracking-tight">{percent(reached)}</span>
            <span className="text-ink-2">{t('newcomers.reached', promise)}</span>
          </p>
          <ul aria-label={t('newcomers.list')} className="mt-5 grid gap-3.5">
            {steps.map((step, place) => (
              <li key={step.from} className="grid grid-cols-[7.5rem_minmax(0,1fr)_auto] items-center gap-3 text-s">
                <StepName from={step.from} next={steps[place + 1]?.from} />
                <Bar share={step.people / most} strong={step.from >= guarantee} />
                <span className="min-w-12 text-end font-[620]">
                  <span aria-hidden="true">{whole(step.people)}</span>
                  <span className="sr-only">
                    {t('newcomers.people', { count: step.people, n: whole(step.people) })}
                  </span>
                </span>
              </li>
            ))}
          </ul>
          <p className="mt-auto pt-5 text-s text-ink-2">
            {t('newcomers.people', { count: people, n: whole(people) })}. {t('newcomers.median', { n: whole(median) })}
          </p>
        </>
      )}
    </Panel>
  )
}

function StepName({ from, next }: { from: number; next: number | undefined }) {
  const { t } = useTranslation('insights')
  const { whole } = useNumbers()
  if (next === undefined) return <span>{t('newcomers.last', { from: whole(from) })}</span>
  if (next === 1) return <span>{t('newcomers.zero')}</span>
  return <span>{t('newcomers.step', { from: whole(from), to: whole(next - 1) })}</span>
}
