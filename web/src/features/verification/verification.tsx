import { lazy, Suspense } from 'react'

/** How far the own verification is, and the next step; in the settings and the own profile. */
export const VerificationSection = lazy(async () => ({
  default: (await import('./verification-card.tsx')).VerificationCard,
}))
const Note = lazy(async () => ({ default: (await import('./main-photo-note.tsx')).MainPhotoNote }))
/** Who waits to be verified; for administrators. */
export const VerificationReview = lazy(async () => ({
  default: (await import('./verification-review.tsx')).VerificationReview,
}))

/** What the badge says about the first photo, shown before it is changed. */
export function MainPhotoNote() {
  return (
    <Suspense fallback={null}>
      <Note />
    </Suspense>
  )
}
