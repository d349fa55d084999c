import { type RefObject, useEffect, useRef } from 'react'

// In CSS pixels. A smaller change in height comes from the browser's toolbars, not from a keyboard.
const least = 80

/**
 * Adds space at the bottom for an on-screen keyboard that covers the page. Does nothing in browsers that resize the
 * page instead.
 */
export function useKeyboardRoom(): RefObject<HTMLDivElement | null> {
  const pane = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const viewport = window.visualViewport
    if (!viewport) return
    const follow = () => {
      const covered = window.innerHeight - viewport.height
      const open = covered > least && viewport.scale === 1
      if (pane.current) pane.current.style.paddingBottom = open ? `${covered}px` : ''
      // Safari scrolls the page to reveal the text box, although it is already visible.
      if (open) window.scrollTo(0, 0)
    }
    viewport.addEventListener('resize', follow)
    return () => viewport.removeEventListener('resize', follow)
  }, [])
  return pane
}
