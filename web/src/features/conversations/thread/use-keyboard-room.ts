import { type RefObject, useEffect, useRef } from 'react'

// In CSS pixels. Browser bars that appear and disappear cover less.
const least = 80

/**
 * Makes room for a touch keyboard that covers the page. Browsers that resize the page instead report a smaller window,
 * and nothing happens.
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
      // Safari scrolls the page to reveal the text box, which is visible already.
      if (open) window.scrollTo(0, 0)
    }
    viewport.addEventListener('resize', follow)
    return () => viewport.removeEventListener('resize', follow)
  }, [])
  return pane
}
