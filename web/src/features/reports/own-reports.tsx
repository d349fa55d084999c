import type { OwnReport } from '@duet/contract/reports.ts'
import { useTranslation } from 'react-i18next'
import { relativeTime } from '../../platform/time.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tag } from '../../ui/tag.tsx'
import { useOwnReports } from './reports.api.ts'

export function OwnReports() {
  const { t } = useTranslation('reports')
  const { data, isError, isFetching, refetch } = useOwnReports()
  if (!data && isError) return <ErrorState text={t('own.failed')} busy={isFetching} onRetry={() => void refetch()} />
  if (!data) return <Skeleton className="h-11" />
  if (data.length === 0) return <p className="text-ink-2">{t('own.none')}</p>
  return (
    <ul aria-label={t('own.title')} className="-my-2 divide-y divide-line">
      {data.map((report) => (
        <Own key={report.receipt} {...report} />
      ))}
    </ul>
  )
}

function Own({ receipt, reason, name, createdAt, state, outcome }: OwnReport) {
  const { t, i18n } = useTranslation(['reports', 'common'])
  return (
    <li className="flex items-start gap-4 py-3">
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate font-medium rtl:text-right">
          {name}
        </span>
        <span className="block text-s text-ink-2">
          {t(`reason.${reason}`)} ·{' '}
          <time dateTime={createdAt} className="whitespace-nowrap">
            {relativeTime(createdAt, new Date(), t, i18n.language)}
          </time>
        </span>
        <bdi className="block text-xs text-ink-2 tabular-nums">{receipt}</bdi>
        {outcome && <span className="mt-1 block text-s text-pretty">{t(`own.outcome.${outcome}`)}</span>}
      </span>
      <Tag>{t(`own.${state}`)}</Tag>
    </li>
  )
}
