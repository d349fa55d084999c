import { cloneElement, lazy, Suspense, useState } from 'react'
import type { PopoverProps } from './popover-panel.tsx'

const load = () => import('./popover-panel.tsx')
const PopoverPanel = lazy(load)

/** Something small that opens beside a button; closes by Escape and an outside click. */
export function Popover(props: PopoverProps) {
  const { open, onOpenChange, trigger, onNear } = props
  const [used, setUsed] = useState(open)
  if (open && !used) setUsed(true)
  const near = () => {
    void load()
    onNear?.()
  }
  // Until it first opens there is only the button, which begins to load the rest when someone comes near.
  const button = cloneElement(trigger, {
    'aria-haspopup': 'dialog',
    'aria-expanded': false,
    onPointerEnter: near,
    onFocus: near,
    onClick: () => onOpenChange(true),
  })
  if (!used) return button
  return (
    <Suspense fallback={button}>
      <PopoverPanel {...props} />
    </Suspense>
  )
}
