import { lazy, Suspense } from 'react'
import { Skeleton } from '../../ui/skeleton.tsx'

const Section = lazy(async () => ({ default: (await import('./your-data.tsx')).YourData }))

/** What somebody sees whose account is about to go, in the place of everything else. */
export const LeavingScreen = lazy(async () => ({ default: (await import('./leaving-screen.tsx')).LeavingScreen }))

/** Export, consents and the end of the account; in the settings. */
export function YourDataSection() {
  return (
    <Suspense fallback={<Skeleton className="h-64 rounded-l" />}>
      <Section />
    </Suspense>
  )
}
