import { useState } from 'react'
import { Extra } from '../boundary.tsx'
import { lazily } from '../lazily.tsx'
import type { DialogProps } from './dialog-panel.tsx'

const DialogPanel = lazily(() => import('./dialog-panel.tsx'))

/** Centred from 640 px; below that, a sheet at the bottom. */
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
