import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ReviewItem } from './review-item.tsx'
import { useReviewKeys } from './use-review-keys.ts'
import { useVerificationsForReview } from './verification.api.ts'

export function VerificationReview() {
  const { t } = useTranslation('verification')
  const list = useRef<HTMLUListElement>(null)
  const { data, isError, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useVerificationsForReview()
  useReviewKeys(list)
  if (!data && isError) return <ErrorState text={t('admin.failed')} busy={isFetching} onRetry={() => void refetch()} />
  if (!data) return <Skeleton className="h-96 rounded-l" />
  const waiting = data.pages.flatMap((page) => page.verifications)
  const more = hasNextPage && (
    <Button variant="quiet" className="mx-auto" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
      {t('admin.more')}
    </Button>
  )
  if (waiting.length === 0) return <EmptyState figure="people" text={t('admin.none')} action={more || undefined} />
  return (
    <>
      <p className="-mt-4 hidden text-s text-ink-2 sm:block">{t('admin.keys')}</p>
      <ul ref={list} aria-label={t('admin.list')} className="grid gap-6">
        {waiting.map((one) => (
          <ReviewItem key={one.id} waiting={one} />
        ))}
      </ul>
      {more}
    </>
  )
}
