import { Extra } from '../../ui/boundary.tsx'
import { lazily } from '../../ui/lazily.tsx'

export const VerificationSection = lazily(async () => ({
  default: (await import('./verification-card.tsx')).VerificationCard,
}))
const Note = lazily(async () => ({ default: (await import('./main-photo-note.tsx')).MainPhotoNote }))
export const VerificationReview = lazily(async () => ({
  default: (await import('./verification-review.tsx')).VerificationReview,
}))

/** Explains before a change of the first photo what it does to the badge. */
export function MainPhotoNote() {
  return (
    <Extra>
      <Note />
    </Extra>
  )
}
