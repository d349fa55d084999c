import { lazy, Suspense } from 'react'
import { Skeleton } from '../../ui/skeleton.tsx'

const Card = lazy(async () => ({ default: (await import('./verification-card.tsx')).VerificationCard }))
const Note = lazy(async () => ({ default: (await import('./main-photo-note.tsx')).MainPhotoNote }))
/** Who waits to be verified; for administrators. */
export const VerificationReview = lazy(async () => ({
  default: (await import('./verification-review.tsx')).VerificationReview,
}))

/** How far the own verification is, and the next step; in the settings and the own profile. */
export function VerificationSection() {
  return (
    <Suspense fallback={<Skeleton className="h-24 rounded-l" />}>
      <Card />
    </Suspense>
  )
}

/** What the badge says about the first photo, shown before it is changed. */
export function MainPhotoNote() {
  return (
    <Suspense fallback={null}>
      <Note />
    </Suspense>
  )
}
