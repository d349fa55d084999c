import { useState } from 'react'
import { Extra } from '../boundary.tsx'
import { lazily } from '../lazily.tsx'
import type { DialogProps } from './dialog-panel.tsx'

const DialogPanel = lazily(() => import('./dialog-panel.tsx'))

/** Centred from 640 px; a sheet at the bottom of the window below that. */
export function Dialog(props: DialogProps) {
  const [used, setUsed] = useState(props.open)
  if (props.open && !used) setUsed(true)
  if (!used) return null
  const fail = () => {
    setUsed(false)
    props.onOpenChange(false)
  }
  return (
    <Extra onFail={fail}>
      <DialogPanel {...props} />
    </Extra>
  )
}
