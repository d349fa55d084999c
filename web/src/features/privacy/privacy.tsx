import { lazy, Suspense } from 'react'
import { Skeleton } from '../../ui/skeleton.tsx'

export { Folded } from './folded.tsx'
export { useHidden } from './privacy.api.ts'

const Section = lazy(async () => ({ default: (await import('./privacy-section.tsx')).PrivacySection }))

/** Who sees what of me, and what I see; in the settings. */
export function PrivacySettings() {
  return (
    <Suspense fallback={<Skeleton className="h-96 rounded-l" />}>
      <Section />
    </Suspense>
  )
}
