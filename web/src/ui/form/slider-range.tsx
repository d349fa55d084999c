import { Extra } from '../boundary.tsx'
import { lazily } from '../lazily.tsx'
import { Skeleton } from '../skeleton.tsx'
import type { SliderRangeProps } from './slider-track.tsx'

const SliderTrack = lazily(() => import('./slider-track.tsx'))

export function SliderRange(props: SliderRangeProps) {
  return (
    <Extra fallback={<Skeleton className="h-17" />}>
      <SliderTrack {...props} />
    </Extra>
  )
}
