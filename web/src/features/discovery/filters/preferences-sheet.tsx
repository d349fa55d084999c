import type { MyDetails } from '@duet/contract/profiles.ts'
import { Extra } from '../../../ui/boundary.tsx'
import { lazily } from '../../../ui/lazily.tsx'

const FiltersSheet = lazily(() => import('./filters-sheet.tsx'))

interface PreferencesSheetProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  details: MyDetails
}

export function PreferencesSheet({ open, onOpenChange, details }: PreferencesSheetProps) {
  return open ? (
    <Extra onFail={() => onOpenChange(false)}>
      <FiltersSheet details={details} onClose={() => onOpenChange(false)} />
    </Extra>
  ) : null
}
