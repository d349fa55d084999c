import { useEffect, useLayoutEffect, useRef } from 'react'
import { addOverlay } from '../../platform/address/overlay-entries.ts'

/** Whether the device is a phone or tablet, where people expect the back button to close menus and popovers. */
export const isTouched = () => window.matchMedia('(pointer: coarse)').matches

/**
 * While an overlay is open, the back button and the back gesture close the overlay instead of leaving the screen.
 * `close` returns false if the overlay refuses to close.
 */
export function useBackCloses(open: boolean, close: () => unknown): void {
  const newest = useRef(close)
  useEffect(() => {
    newest.current = close
  })
  // A layout effect, so that the overlay is removed immediately: going back twice quickly must not land on its history
  // entry.
  useLayoutEffect(() => {
    if (open) return addOverlay({ close: () => newest.current() })
  }, [open])
}
