import { cloneElement, useState } from 'react'
import { Extra } from '../boundary.tsx'
import { lazily } from '../lazily.tsx'
import type { PopoverProps } from './popover-panel.tsx'

const PopoverPanel = lazily(() => import('./popover-panel.tsx'))

export function Popover(props: PopoverProps) {
  const { open, onOpenChange, trigger, onNear } = props
  const [used, setUsed] = useState(open)
  if (open && !used) setUsed(true)
  const near = () => {
    PopoverPanel.near()
    onNear?.()
  }
  // Only the button is rendered until the popover first opens. Hovering over or focusing the button starts to load the
  // popover.
  const button = cloneElement(trigger, {
    'aria-haspopup': 'dialog',
    'aria-expanded': false,
    onPointerEnter: near,
    onFocus: near,
    onClick: () => onOpenChange(true),
  })
  if (!used) return button
  const fail = () => {
    setUsed(false)
    onOpenChange(false)
  }
  return (
    <Extra fallback={button} onFail={fail}>
      <PopoverPanel {...props} />
    </Extra>
  )
}
