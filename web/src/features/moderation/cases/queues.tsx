import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useDateFormats } from '../numbers-of.ts'
import { AppealCase } from './appeal-case.tsx'
import type { Case } from './case.ts'
import { useOpenAppeals, useOpenReports, useOpenReviews } from './cases.api.ts'
import { Queue } from './queue.tsx'
import { ReportCase } from './report-case.tsx'
import { ReviewCase, useReviewTitle } from './review-case.tsx'

export function ReportQueue() {
  const { t } = useTranslation('reports')
  const { data, ...reading } = useOpenReports()
  const reports = data?.pages.flatMap((page) => page.reports)
  const cases = reports?.map(
    ({ receipt, reported, reason, severity, createdAt, claim }): Case => ({
      kind: 'report',
      id: receipt,
      person: reported,
      severity,
      createdAt,
      claim,
      title: t(`reason.${reason}`),
    }),
  )
  return (
    <Queue view="reports" {...{ cases, reading }}>
      {(id, onBack) => {
        const report = reports?.find(({ receipt }) => receipt === id)
        const waiting = cases?.find((one) => one.id === id)
        return report && waiting && <ReportCase key={id} {...{ report, waiting, onBack }} />
      }}
    </Queue>
  )
}

export function AppealQueue() {
  const { t } = useTranslation(['moderation', 'standing'])
  const { data, ...reading } = useOpenAppeals()
  const appeals = data?.pages.flatMap((page) => page.appeals)
  const cases = appeals?.map(
    ({ id, person, sanction, createdAt, claim }): Case => ({
      kind: 'appeal',
      id,
      person,
      createdAt,
      claim,
      title: t(`sanction.${sanction.kind}`),
    }),
  )
  return (
    <Queue view="appeals" {...{ cases, reading }} note={<ForOthers {...data?.pages[0]?.forOthers} />}>
      {(id, onBack) => {
        const appeal = appeals?.find((one) => one.id === id)
        const waiting = cases?.find((one) => one.id === id)
        return appeal && waiting && <AppealCase key={id} {...{ appeal, waiting, onBack }} />
      }}
    </Queue>
  )
}

function ForOthers({ count = 0, oldestAt }: { count?: number; oldestAt?: string | null }) {
  const { t } = useTranslation('moderation')
  const { day } = useDateFormats()
  if (count === 0 || !oldestAt) return null
  return (
    <p className="rounded-m bg-accent-soft px-4 py-3 text-s">{t('appeal.forOthers', { count, date: day(oldestAt) })}</p>
  )
}

/** Oldest first. */
export function ReviewQueue() {
  const { data, ...reading } = useOpenReviews()
  const titleOf = useReviewTitle()
  const reviews = useMemo(() => data?.pages.flatMap((page) => page.reviews), [data])
  const cases = reviews?.map(
    ({ id, person, kind, createdAt, claim }): Case => ({
      kind: 'review',
      id,
      person,
      createdAt,
      claim,
      title: titleOf(kind),
    }),
  )
  return (
    <Queue view="review" {...{ cases, reading }}>
      {(id, onBack) => {
        const review = reviews?.find((one) => one.id === id)
        const waiting = cases?.find((one) => one.id === id)
        return review && waiting && <ReviewCase key={id} {...{ review, waiting, onBack }} />
      }}
    </Queue>
  )
}
