import { type RefObject, useEffect, useRef } from 'react'

// Less than this is a bar of the browser that comes and goes.
const least = 80

/**
 * Leaves room for a keyboard on glass where the browser lays it over the page. Where the page shrinks by itself (the
 * viewport says so) there is nothing to do.
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
      // Safari moves the whole page up to show the box, which is in sight already.
      if (open) window.scrollTo(0, 0)
    }
    viewport.addEventListener('resize', follow)
    return () => viewport.removeEventListener('resize', follow)
  }, [])
  return pane
}
