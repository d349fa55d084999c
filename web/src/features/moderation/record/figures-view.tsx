import type { ModerationFigures } from '@duet/contract/moderation.ts'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Bar, Nothing, Panel } from '../../insights/insights.tsx'
import { useQueueFigures } from '../moderation.api.ts'
import { useNumbersOf } from '../numbers-of.ts'
import { WeeksPanel } from './weeks-panel.tsx'

export function FiguresView() {
  const { t } = useTranslation('moderation')
  const { data, isError, isFetching, refetch } = useQueueFigures()
  if (!data && isError)
    return <ErrorState text={t('figures.failed')} busy={isFetching} onRetry={() => void refetch()} />
  if (!data) return <Skeleton className="h-96 rounded-l" />
  return (
    <div className="@container">
      <div className="grid gap-5 @3xl:grid-cols-2">
        <QueuesPanel queues={data.queues} />
        <TimesPanel decisions={data.decisions} />
        <AppealsPanel appeals={data.appeals} />
        <WeeksPanel weeks={data.weeks} />
      </div>
    </div>
  )
}

function QueuesPanel({ queues }: Pick<ModerationFigures, 'queues'>) {
  const { t } = useTranslation('moderation')
  const { whole, span } = useNumbersOf()
  const waiting = queues.filter(({ open }) => open > 0)
  const oldest = Math.max(1, ...waiting.map(({ oldestAge }) => oldestAge ?? 0))
  return (
    <Panel title={t('figures.queues')} hint={t('figures.queuesHint')} className="@3xl:col-span-2">
      {waiting.length === 0 ? (
        <Nothing>{t('figures.nothingWaits')}</Nothing>
      ) : (
        <ul className="grid gap-x-12 gap-y-5 @3xl:grid-cols-2">
          {waiting.map(({ kind, severity, open, oldestAge, medianAge }) => (
            <li key={`${kind} ${severity}`}>
              <p className="mb-1.5 flex flex-wrap items-baseline gap-x-3">
                <span className="font-medium">
                  {t(`figures.kind.${kind}`)}
                  {severity && ` · ${t(`severity.${severity}`)}`}
                </span>
                <span className="ms-auto font-[620] tabular-nums">{whole(open)}</span>
              </p>
              <Bar share={(oldestAge ?? 0) / oldest} strong={severity === 'urgent'} />
              <p className="mt-1.5 text-s text-ink-2">
                {t('figures.ages', { oldest: span(oldestAge ?? 0), median: span(medianAge ?? 0) })}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function TimesPanel({ decisions }: Pick<ModerationFigures, 'decisions'>) {
  const { t } = useTranslation('moderation')
  const { whole, span } = useNumbersOf()
  const decided = decisions.filter((one) => one.decided > 0)
  const longest = Math.max(1, ...decided.map(({ medianTime }) => medianTime ?? 0))
  return (
    <Panel title={t('figures.times')} hint={t('figures.timesHint')}>
      {decided.length === 0 ? (
        <Nothing>{t('figures.nothingDecided')}</Nothing>
      ) : (
        <ul className="grid gap-4">
          {decided.map(({ severity, decided: count, medianTime }) => (
            <li key={severity}>
              <p className="mb-1.5 flex flex-wrap items-baseline gap-x-3">
                <span className="font-medium">{t(`severity.${severity}`)}</span>
                <span className="text-s text-ink-2">{t('figures.decided', { count, n: whole(count) })}</span>
                <span className="ms-auto font-[620]">{span(medianTime ?? 0)}</span>
              </p>
              <Bar share={(medianTime ?? 0) / longest} strong={severity === 'urgent'} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function AppealsPanel({ appeals: { decided, reversed, reversedShare } }: Pick<ModerationFigures, 'appeals'>) {
  const { t } = useTranslation('moderation')
  const { whole, percent } = useNumbersOf()
  return (
    <Panel title={t('figures.appeals')} hint={t('figures.appealsHint')}>
      {reversedShare === null ? (
        <Nothing>{t('figures.noAppeals')}</Nothing>
      ) : (
        <>
          <p className="mb-3 flex flex-wrap items-baseline gap-x-2.5">
            <span className="text-2xl leading-tight font-[560] tracking-tight">{percent(reversedShare)}</span>
            <span className="text-ink-2">
              {t('figures.reversed', { count: decided, n: whole(reversed), total: whole(decided) })}
            </span>
          </p>
          <Bar share={reversedShare} strong />
        </>
      )}
    </Panel>
  )
}
