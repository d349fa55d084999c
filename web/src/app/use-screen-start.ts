import { useEffect, useRef } from 'react'

/** Another screen begins at its top; whoever lost their place because it left with the last one goes on in it. */
export function useScreenStart(pathname: string): void {
  const last = useRef(pathname)
  useEffect(() => {
    window.scrollTo(0, 0)
    if (last.current === pathname) return
    last.current = pathname
    // A dialog or a menu gives the focus back first, to a button that may be gone.
    const wait = setTimeout(() => {
      if (document.activeElement === document.body) document.getElementById('content')?.focus({ preventScroll: true })
    }, 60)
    return () => clearTimeout(wait)
  }, [pathname])
}
