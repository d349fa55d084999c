import type { OpenReport } from '@duet/contract/reports.ts'
import { useTranslation } from 'react-i18next'
import { Link } from '../../platform/address.tsx'
import { relativeTime } from '../../platform/time.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { EvidenceView } from './evidence-view.tsx'
import { useOpenReports } from './reports.api.ts'

/** Reports that nobody has decided, gravest first. */
export function OpenReports() {
  const { t } = useTranslation('reports')
  const { data, isError, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useOpenReports()
  if (!data && isError) return <ErrorState text={t('admin.failed')} busy={isFetching} onRetry={() => void refetch()} />
  if (!data) return <Skeleton className="h-72 rounded-l" />
  const reports = data.pages.flatMap((page) => page.reports)
  if (reports.length === 0) return <EmptyState figure="letters" text={t('admin.none')} />
  return (
    <>
      <ul aria-label={t('admin.list')} className="grid gap-6">
        {reports.map((report) => (
          <Reported key={report.receipt} report={report} />
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="quiet" className="mx-auto" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('admin.more')}
        </Button>
      )}
    </>
  )
}

function Reported({ report }: { report: OpenReport }) {
  const { t } = useTranslation('reports')
  const { reason, details, receipt, evidence, subject } = report
  return (
    <li className="grid overflow-hidden rounded-l bg-surface shadow-one lg:grid-cols-[320px_minmax(0,1fr)]">
      <div className="grid content-start gap-4 p-5.5">
        <Urgency report={report} />
        <h2 className="display text-xl">{t(`reason.${reason}`)}</h2>
        {details && (
          <blockquote dir="auto" className="border-s-2 border-line ps-3.5 break-words whitespace-pre-line">
            {details}
          </blockquote>
        )}
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-s [&_dt]:text-ink-2">
          <dt>{t('admin.reported')}</dt>
          <dd>
            <PersonLink {...report.reported} />
          </dd>
          <dt>{t('admin.reporter')}</dt>
          <dd>{report.reporter ? <PersonLink {...report.reporter} /> : t('admin.gone')}</dd>
          <dt>{t('admin.about')}</dt>
          <dd>{t(`admin.subject.${subject.kind}`)}</dd>
          <dt>{t('admin.receipt')}</dt>
          <dd>
            <bdi className="tabular-nums">{receipt}</bdi>
          </dd>
        </dl>
      </div>
      <EvidenceView evidence={evidence} subject={subject} />
    </li>
  )
}

const looks = {
  urgent: 'bg-bad text-paper',
  high: 'text-bad inset-ring-[1.5px] inset-ring-bad',
  normal: 'bg-sunken text-ink-2',
} as const

function Urgency({ report: { severity, createdAt } }: { report: OpenReport }) {
  const { t, i18n } = useTranslation(['reports', 'common'])
  return (
    <p className="flex items-center justify-between gap-3">
      <span className={classNames('rounded-full px-3 py-1 text-[13px] font-[620]', looks[severity])}>
        {t(`admin.severity.${severity}`)}
      </span>
      <time dateTime={createdAt} className="text-[13px] text-ink-2">
        {relativeTime(createdAt, new Date(), t, i18n.language)}
      </time>
    </p>
  )
}

function PersonLink({ id, name }: { id: string; name: string }) {
  return (
    <Link to={`/profile/${id}`} className="font-[620] break-words underline-offset-4 hover:underline">
      {name}
    </Link>
  )
}
