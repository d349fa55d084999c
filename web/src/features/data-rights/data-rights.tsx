import { lazy, Suspense } from 'react'
import { Skeleton } from '../../ui/skeleton.tsx'

const Section = lazy(async () => ({ default: (await import('./your-data.tsx')).YourData }))

/** Shown in place of everything else to people whose account is about to be erased. */
export const LeavingScreen = lazy(async () => ({ default: (await import('./leaving-screen.tsx')).LeavingScreen }))

const Cards = lazy(async () => ({ default: (await import('./your-data.tsx')).DataCards }))

/** Export, consents and the end of the account; in the settings, whose section has the title. */
export function DataSettings() {
  return (
    <Suspense fallback={<Skeleton className="h-64 rounded-l" />}>
      <Cards heading="h2" />
    </Suspense>
  )
}

/** The same with its title; for people who can't reach the settings. */
export function YourDataSection() {
  return (
    <Suspense fallback={<Skeleton className="h-64 rounded-l" />}>
      <Section />
    </Suspense>
  )
}
