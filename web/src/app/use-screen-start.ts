import { useEffect, useRef } from 'react'

/**
 * A new screen starts at its top, or at the part that the address names, and takes the focus when the focused element
 * left with the previous screen.
 */
export function useScreenStart(pathname: string): void {
  const last = useRef(pathname)
  useEffect(() => {
    const wanted = document.getElementById(window.location.hash.slice(1))
    if (wanted) wanted.scrollIntoView()
    else window.scrollTo(0, 0)
    if (last.current === pathname) return
    last.current = pathname
    // A dialog or a menu gives the focus back first, to a button that may be gone.
    const wait = setTimeout(() => {
      if (document.activeElement === document.body) document.getElementById('content')?.focus({ preventScroll: true })
    }, 60)
    return () => clearTimeout(wait)
  }, [pathname])
}
