import { lazy, Suspense } from 'react'
import { Skeleton } from '../skeleton.tsx'
import type { SliderRangeProps } from './slider-track.tsx'

const SliderTrack = lazy(() => import('./slider-track.tsx'))

/** One value or a range on a line. */
export function SliderRange(props: SliderRangeProps) {
  return (
    <Suspense fallback={<Skeleton className="h-17" />}>
      <SliderTrack {...props} />
    </Suspense>
  )
}
