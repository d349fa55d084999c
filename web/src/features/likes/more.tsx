import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../ui/error-state.tsx'
import type { useLikes } from './likes-lists.api.ts'

type MoreProps = Pick<
  ReturnType<typeof useLikes>,
  'hasNextPage' | 'fetchNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError'
>

/** Reads on before the end of the list comes into sight. */
export function More({ hasNextPage, fetchNextPage, isFetchingNextPage, isFetchNextPageError }: MoreProps) {
  const { t } = useTranslation('likes')
  const end = useRef<HTMLDivElement>(null)
  const waiting = hasNextPage && !isFetchingNextPage && !isFetchNextPageError
  useEffect(() => {
    if (!end.current || !waiting) return
    const near = ([entry]: IntersectionObserverEntry[]) => entry?.isIntersecting && void fetchNextPage()
    const watch = new IntersectionObserver(near, { rootMargin: '600px' })
    watch.observe(end.current)
    return () => watch.disconnect()
  }, [waiting, fetchNextPage])
  return (
    <div ref={end} role="status" className="grid min-h-12 place-content-center pt-6 text-center text-s text-ink-2">
      {isFetchNextPageError && <ErrorState text={t('moreFailed')} onRetry={() => void fetchNextPage()} />}
      {isFetchingNextPage && t('loadingMore')}
    </div>
  )
}
