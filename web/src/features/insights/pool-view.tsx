import type { Insights } from '@duet/contract/insights.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { relativeTime } from '../../platform/time.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { DaysCard } from './days-card.tsx'
import { ExposureCard } from './exposure-card.tsx'
import { useInsights } from './insights.api.ts'
import { NewcomersCard } from './newcomers-card.tsx'
import { useNumbers } from './numbers.ts'
import { PlacesCard } from './places-card.tsx'
import { SharingCard } from './sharing-card.tsx'
import { Tiles } from './tiles.tsx'

export function PoolView() {
  const { t } = useTranslation('insights')
  const { data, isError, isFetching, refetch } = useInsights()
  if (!data && isError) return <ErrorState text={t('pool.failed')} busy={isFetching} onRetry={() => void refetch()} />
  if (!data) return <Shapes />
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-6">
      <Tiles insights={data} />
      <DaysCard days={data.days} />
      <div className="grid gap-6 md:grid-cols-2">
        <SharingCard week={data.week} month={data.month} />
        <NewcomersCard newcomers={data.newcomers} />
      </div>
      <ExposureCard groups={data.week.groups} />
      <PlacesCard areas={data.areas} places={data.places} />
      <Measured insights={data} />
    </div>
  )
}

function Measured({ insights: { measuredAt, sample } }: { insights: Insights }) {
  const { t, i18n } = useTranslation(['insights', 'common'])
  const { whole } = useNumbers()
  const [now] = useState(() => new Date())
  return (
    <p className="text-s text-ink-2">
      {t('pool.measured', { when: relativeTime(measuredAt, now, t, i18n.language) })}
      {sample !== null && ` · ${t('pool.sampled', { count: sample, n: whole(sample) })}`}
    </p>
  )
}

function Shapes() {
  return (
    <div aria-hidden="true" className="grid gap-6">
      <Skeleton className="h-56 rounded-l sm:h-40" />
      <Skeleton className="h-72 rounded-l" />
      <div className="grid gap-6 md:grid-cols-2">
        <Skeleton className="h-72 rounded-l" />
        <Skeleton className="h-72 rounded-l" />
      </div>
    </div>
  )
}
