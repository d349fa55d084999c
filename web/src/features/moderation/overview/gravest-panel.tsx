import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from '../../../platform/address/address.tsx'
import { relativeTime } from '../../../platform/time.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Panel } from '../../insights/insights.tsx'
import { type OpenReport, useOpenReports } from '../cases/cases.api.ts'
import { SeverityTag } from '../cases/severity-tag.tsx'

const most = 5

export function GravestPanel() {
  const { t } = useTranslation('moderation')
  const { data, isError, isFetching, refetch } = useOpenReports()
  const reports = data?.pages[0]?.reports.slice(0, most)
  return (
    <Panel title={t('overview.gravest')} end={<ToAll shown={Boolean(reports?.length)} />}>
      {!reports && isError && <ErrorState text={t('queue.failed')} busy={isFetching} onRetry={() => void refetch()} />}
      {!reports && !isError && <Skeleton className="h-64" />}
      {reports?.length === 0 && <EmptyState figure="rest" text={t('overview.noReports')} className="max-w-100 py-3" />}
      {reports && reports.length > 0 && (
        <ol aria-label={t('overview.gravest')} className="-mx-3 -mb-2.5">
          {reports.map((report) => (
            <Row key={report.receipt} report={report} />
          ))}
        </ol>
      )}
    </Panel>
  )
}

function ToAll({ shown }: { shown: boolean }) {
  const { t } = useTranslation('moderation')
  if (!shown) return null
  return (
    <Link
      to="/admin?view=reports"
      className="relative text-s font-[560] text-accent after:absolute after:-inset-x-2 after:-inset-y-3 hover:underline"
    >
      {t('overview.all')}
    </Link>
  )
}

function Row({ report: { receipt, reason, severity, reported, createdAt } }: { report: OpenReport }) {
  const { t, i18n } = useTranslation(['moderation', 'reports', 'common'])
  const [now] = useState(() => new Date())
  return (
    <li className="relative before:absolute before:inset-x-3 before:top-0 before:h-px before:bg-line first:before:hidden">
      <Link
        to={`/admin?view=reports&case=${encodeURIComponent(receipt)}`}
        className="flex flex-wrap items-center gap-x-4 gap-y-1 rounded-m px-3 py-3 transition hover:bg-sunken/60 focus-visible:-outline-offset-2"
      >
        <span className="min-w-0 flex-[1_1_12rem]">
          <span className="block font-[600] text-pretty">{t(`reports:reason.${reason}`)}</span>
          <span className="flex gap-1.5 text-s text-ink-2">
            <bdi className="truncate">{reported.name}</bdi>
            <span aria-hidden="true">·</span>
            <time dateTime={createdAt} className="flex-none">
              {relativeTime(createdAt, now, t, i18n.language)}
            </time>
          </span>
        </span>
        <SeverityTag severity={severity} />
      </Link>
    </li>
  )
}
