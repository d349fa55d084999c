import { Extra } from '../../ui/boundary.tsx'
import { lazily } from '../../ui/lazily.tsx'

/** How far the own verification is, and the next step; in the settings and the own profile. */
export const VerificationSection = lazily(async () => ({
  default: (await import('./verification-card.tsx')).VerificationCard,
}))
const Note = lazily(async () => ({ default: (await import('./main-photo-note.tsx')).MainPhotoNote }))
/** Who waits to be verified; for administrators. */
export const VerificationReview = lazily(async () => ({
  default: (await import('./verification-review.tsx')).VerificationReview,
}))

/** What the badge says about the first photo, shown before it is changed. */
export function MainPhotoNote() {
  return (
    <Extra>
      <Note />
    </Extra>
  )
}
