import { Extra } from '../../ui/boundary.tsx'
import { lazily } from '../../ui/lazily.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

const Section = lazily(async () => ({ default: (await import('./your-data.tsx')).YourData }))

/** The only screen available to people whose account is scheduled for erasure. */
export const LeavingScreen = lazily(async () => ({ default: (await import('./leaving-screen.tsx')).LeavingScreen }))

const Cards = lazily(async () => ({ default: (await import('./your-data.tsx')).DataCards }))

export function DataSettings() {
  return (
    <Extra fallback={<Skeleton className="h-64 rounded-l" />}>
      <Cards heading="h2" />
    </Extra>
  )
}

/** `DataSettings` with a title, for people who can't open the settings. */
export function YourDataSection() {
  return (
    <Extra fallback={<Skeleton className="h-64 rounded-l" />}>
      <Section />
    </Extra>
  )
}
