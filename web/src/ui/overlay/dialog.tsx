import { lazy, Suspense, useState } from 'react'
import type { DialogProps } from './dialog-panel.tsx'

const DialogPanel = lazy(() => import('./dialog-panel.tsx'))

/** A dialog in the centre from 640 px, a sheet from the bottom below. Traps focus and gives it back. */
export function Dialog(props: DialogProps) {
  const [used, setUsed] = useState(props.open)
  if (props.open && !used) setUsed(true)
  if (!used) return null
  return (
    <Suspense fallback={null}>
      <DialogPanel {...props} />
    </Suspense>
  )
}
