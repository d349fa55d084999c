import type { MouseEvent } from 'react'
import { isHere, navigate, takeBack, waitsForBack } from './address.tsx'

/**
 * Navigates to a parent screen such that the back button doesn't return here. Goes back if the person came from that
 * screen; otherwise replaces this history entry.
 */
export function leaveTo(to: string): void {
  if (waitsForBack(() => leaveTo(to)) || isHere(to)) return
  const { from, overlays = 0 } = window.history.state ?? {}
  if (from === to) takeBack(1 + overlays)
  else navigate(to, { replace: true })
}

export const leaveByLink = (to: string) => (event: MouseEvent) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  leaveTo(to)
}
