import { Extra } from '../../ui/boundary.tsx'
import { lazily } from '../../ui/lazily.tsx'

export const VerificationSection = lazily(async () => ({
  default: (await import('./verification-card.tsx')).VerificationCard,
}))
const Note = lazily(async () => ({ default: (await import('./main-photo-note.tsx')).MainPhotoNote }))
export const VerificationReview = lazily(async () => ({
  default: (await import('./verification-review.tsx')).VerificationReview,
}))

export function MainPhotoNote() {
  return (
    <Extra>
      <Note />
    </Extra>
  )
}
