import { Skeleton } from '../../ui/skeleton.tsx'

export const nearbyGrid = 'grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-5'

export function NearbyShape() {
  return (
    <div aria-hidden="true" className={nearbyGrid}>
      {['one', 'two', 'three', 'four', 'five', 'six'].map((key) => (
        <Skeleton key={key} className="aspect-3/4 rounded-l" />
      ))}
    </div>
  )
}
