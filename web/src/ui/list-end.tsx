import { useEffect, useRef } from 'react'
import { classNames } from './class-names.ts'
import { ErrorState } from './error-state.tsx'

interface ListEndProps {
  hasNextPage: boolean
  fetchNextPage: () => unknown
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  loading: string
  failed: string
  end?: string
  className: string
}

/** Placed at the end of a paginated list. Loads the next page shortly before the end scrolls into view. */
export function ListEnd({
  hasNextPage,
  fetchNextPage,
  isFetchingNextPage,
  isFetchNextPageError,
  ...rest
}: ListEndProps) {
  const { loading, failed, end, className } = rest
  const element = useRef<HTMLDivElement>(null)
  const waiting = hasNextPage && !isFetchingNextPage && !isFetchNextPageError
  useEffect(() => {
    if (!element.current || !waiting) return
    const near = ([entry]: IntersectionObserverEntry[]) => entry?.isIntersecting && void fetchNextPage()
    const watch = new IntersectionObserver(near, { rootMargin: '600px' })
    watch.observe(element.current)
    return () => watch.disconnect()
  }, [waiting, fetchNextPage])
  return (
    <div
      ref={element}
      role="status"
      className={classNames('grid place-content-center pt-6 text-center text-s text-ink-2', className)}
    >
      {isFetchNextPageError && <ErrorState text={failed} onRetry={() => void fetchNextPage()} />}
      {isFetchingNextPage && loading}
      {!hasNextPage && end}
    </div>
  )
}
