import type { MyDetails } from '@duet/contract/profiles.ts'
import { lazy, Suspense } from 'react'

const FiltersSheet = lazy(() => import('./filters-sheet.tsx'))

interface PreferencesSheetProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  details: MyDetails
}

/** Who I see: ages, distance, whom I want to meet, what I wish for. Saved with the profile. */
export function PreferencesSheet({ open, onOpenChange, details }: PreferencesSheetProps) {
  return open ? (
    <Suspense fallback={null}>
      <FiltersSheet details={details} onClose={() => onOpenChange(false)} />
    </Suspense>
  ) : null
}
