import { lazy, Suspense } from 'react'
import type { PlaceDialogProps } from './place-dialog.tsx'
import type { PlacePickerProps } from './place-picker.tsx'

const Choosing = lazy(() => import('./place-dialog.tsx'))
const Picker = lazy(() => import('./place-picker.tsx'))

/** Says where I am: by the device, or by the name of a city. Saves at once and tells what is kept. */
export function PlacePicker(props: PlacePickerProps) {
  return (
    <Suspense fallback={null}>
      <Picker {...props} />
    </Suspense>
  )
}

/** The place picker in a dialog. Loaded when it opens. */
export function PlaceDialog(props: PlaceDialogProps) {
  return props.open ? (
    <Suspense fallback={null}>
      <Choosing {...props} />
    </Suspense>
  ) : null
}
