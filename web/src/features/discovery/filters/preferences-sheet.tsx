import type { MyDetails } from '@duet/contract/profiles.ts'
import { lazy, Suspense } from 'react'

const FiltersSheet = lazy(() => import('./filters-sheet.tsx'))

interface PreferencesSheetProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  details: MyDetails
}

/** The filters: ages, distance, who I would like to meet, preferences. Saved with the profile. */
export function PreferencesSheet({ open, onOpenChange, details }: PreferencesSheetProps) {
  return open ? (
    <Suspense fallback={null}>
      <FiltersSheet details={details} onClose={() => onOpenChange(false)} />
    </Suspense>
  ) : null
}
