import { Skeleton } from '../ui/skeleton.tsx'

export function ScreenSkeleton() {
  return (
    <div aria-hidden="true" className="mx-auto grid max-w-180 gap-6 px-4 pt-8 sm:px-8">
      <Skeleton className="h-10 w-1/2" />
      <Skeleton className="h-64 rounded-l" />
      <Skeleton className="h-24 rounded-l" />
    </div>
  )
}
