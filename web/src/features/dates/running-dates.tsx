import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../ui/error-state.tsx'
import { DateCard } from './date-card.tsx'
import { useDates } from './dates.api.ts'

export function RunningDates({ mayChange }: { mayChange: boolean }) {
  const { t } = useTranslation('dates')
  const titleId = useId()
  const { data, isError, isFetching, refetch } = useDates()
  if (!data && isError) return <ErrorState text={t('failed')} busy={isFetching} onRetry={() => void refetch()} />
  if (!data?.dates.length) return null
  return (
    <section aria-labelledby={titleId}>
      <h2 id={titleId} className="display mb-3 text-xl">
        {t('title')}
      </h2>
      <div className="grid gap-4">
        {data.dates.map((date) => (
          <DateCard key={date.id} {...{ date, mayChange }} />
        ))}
      </div>
    </section>
  )
}
