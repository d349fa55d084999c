import { Extra } from '../../ui/boundary.tsx'
import { lazily } from '../../ui/lazily.tsx'
import type { PlaceDialogProps } from './place-dialog.tsx'
import type { PlacePickerProps } from './place-picker.tsx'

const Choosing = lazily(() => import('./place-dialog.tsx'))
const Picker = lazily(() => import('./place-picker.tsx'))

export function PlacePicker(props: PlacePickerProps) {
  return (
    <Extra>
      <Picker {...props} />
    </Extra>
  )
}

export function PlaceDialog(props: PlaceDialogProps) {
  return props.open ? (
    <Extra onFail={() => props.onOpenChange(false)}>
      <Choosing {...props} />
    </Extra>
  ) : null
}
