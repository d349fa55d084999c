import type { AuditEntry } from '@duet/contract/moderation.ts'
import { BadgeCheck, ChevronDown, ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemError } from '../../../platform/problem.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { type AuditFilter, type Choices, useAuditEntries, useChain } from '../moderation.api.ts'
import { useDateFormats, useNumbersOf } from '../numbers-of.ts'
import { RecordFilters, useActionName } from './record-filters.tsx'

export function RecordView() {
  const { t } = useTranslation('moderation')
  const [wanted, setWanted] = useState<AuditFilter>({})
  const [choices, setChoices] = useState<Choices>(null)
  const { data, isError, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useAuditEntries(wanted)
  const told = data?.pages[0]?.choices
  if (told && told !== choices) setChoices(told)
  const isNarrowed = Object.values(wanted).some(Boolean)
  const failed = <ErrorState text={t('record.failed')} busy={isFetching} onRetry={() => void refetch()} />
  if (!data && isError && !isNarrowed) return failed
  if (!data && !isError) return <Skeleton className="h-96 rounded-l" />
  const entries = data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <>
      <ChainState />
      {/* The filters stay after a failure, so that a filter that caused it can be changed. */}
      <RecordFilters choices={choices} wanted={wanted} onChange={setWanted} />
      {!data && failed}
      {data && entries.length === 0 && (
        <EmptyState figure="search" text={t(isNarrowed ? 'record.noFit' : 'record.none')} />
      )}
      {entries.length > 0 && (
        <ol aria-label={t('record.list')} className="divide-y divide-line rounded-l bg-surface px-5.5 shadow-one">
          {entries.map((entry) => (
            <Entry key={entry.seq} entry={entry} />
          ))}
        </ol>
      )}
      {hasNextPage && (
        <Button variant="quiet" className="mx-auto" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('record.older')}
        </Button>
      )}
    </>
  )
}

const anHour = 3_600

function ChainState() {
  const { t } = useTranslation('moderation')
  const { whole, span } = useNumbersOf()
  const { data, error, isFetching, refetch } = useChain()
  if (error) {
    const isLimited = error instanceof ProblemError && error.code === 'rate_limited'
    const limited = isLimited && t('record.chainLimited', { wait: span(error.retryAfter ?? anHour) })
    return <ErrorState text={limited || t('record.chainFailed')} busy={isFetching} onRetry={() => void refetch()} />
  }
  if (!data) return <Skeleton className="h-19 rounded-l" />
  const { entries, firstBroken, head } = data
  if (firstBroken !== null)
    return (
      <p role="alert" className="flex items-center gap-3 rounded-l bg-surface p-5 font-medium text-bad shadow-one">
        <ShieldAlert aria-hidden="true" />
        {t('record.broken', { seq: whole(firstBroken) })}
      </p>
    )
  return (
    <div className="flex items-center gap-3 rounded-l bg-surface p-5 shadow-one">
      <BadgeCheck aria-hidden="true" className="text-good" />
      <div className="min-w-0">
        <p className="font-medium">{t('record.whole', { count: entries, n: whole(entries) })}</p>
        {entries > 0 && (
          <p className="text-s text-ink-2">
            {t('record.head')}{' '}
            <bdi className="text-xs wrap-anywhere tabular-nums">
              {head.seq}:{head.hash}
            </bdi>
          </p>
        )}
      </div>
    </div>
  )
}

const nameOf = ({ actor }: AuditEntry, t: (key: 'case.gone') => string) => actor?.name || t('case.gone')

const sayOf = (part: Record<string, unknown>) =>
  Object.entries(part)
    .filter(([, value]) => value !== null && value !== '')
    .map(([key, value]) => `${key}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)

function Entry({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation('moderation')
  const { moment } = useDateFormats()
  const actionName = useActionName()
  const { seq, at, actor, action, target, reason, details } = entry
  const particulars = [...sayOf(target), ...sayOf(details)]
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-5 gap-y-1 py-3.5 sm:grid-cols-[3.5rem_minmax(0,1fr)_auto]">
      <span className="text-s text-ink-2 tabular-nums max-sm:hidden">{seq}</span>
      <div className="min-w-0 max-sm:col-span-2">
        <p>
          <span className="font-[620]">{actor ? nameOf(entry, t) : t('record.duet')}</span> · {actionName(action)}
        </p>
        {reason && (
          <p dir="auto" className="text-s wrap-anywhere">
            {reason}
          </p>
        )}
      </div>
      <time dateTime={at} className="text-s text-ink-2 tabular-nums">
        {moment(at)}
      </time>
      {particulars.length > 0 && <Particulars lines={particulars} />}
    </li>
  )
}

function Particulars({ lines }: { lines: readonly string[] }) {
  const { t } = useTranslation('moderation')
  return (
    <details className="group text-xs text-ink-2 max-sm:open:col-span-2 sm:col-span-2 sm:col-start-2">
      <summary className="relative flex min-h-6 w-fit cursor-pointer list-none after:absolute after:inset-x-0 after:-inset-y-2 items-center gap-1 rounded-s hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronDown aria-hidden="true" className="size-3.5! transition group-open:rotate-180" />
        {t('record.particulars')}
      </summary>
      <div dir="ltr" className="mt-1 grid gap-0.5 wrap-anywhere rtl:text-end">
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
    </details>
  )
}
