import { useEffect, useRef } from 'react'

/**
 * Scrolls a new screen to the top, or to the hash in its URL. Focuses the screen if the focused element has been
 * removed.
 */
export function useScreenStart(pathname: string): void {
  const last = useRef(pathname)
  useEffect(() => {
    const wanted = document.getElementById(window.location.hash.slice(1))
    if (wanted) wanted.scrollIntoView()
    else window.scrollTo(0, 0)
    if (last.current === pathname) return
    last.current = pathname
    // A closing dialog or menu first returns the focus to its button, which may have been removed.
    const wait = setTimeout(() => {
      if (document.activeElement === document.body) document.getElementById('content')?.focus({ preventScroll: true })
    }, 60)
    return () => clearTimeout(wait)
  }, [pathname])
}
