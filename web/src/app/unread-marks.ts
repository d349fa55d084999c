import { useEffect } from 'react'
import { permitted } from '../platform/permitted.ts'

/** Shows that something waits to be read where no page is seen: the count on the icon of the installed app, a dot on that of the tab. Neither stays after signing out. */
export function useUnreadMarks(count: number): void {
  const isWaiting = count > 0
  useEffect(() => {
    void permitted(() => navigator.setAppBadge?.(count))?.catch(() => undefined)
  }, [count])
  useEffect(() => {
    setTabIcon(isWaiting ? '/icon-unread.svg' : '/icon.svg')
  }, [isWaiting])
  useEffect(
    () => () => {
      void permitted(() => navigator.clearAppBadge?.())?.catch(() => undefined)
      setTabIcon('/icon.svg')
    },
    [],
  )
}

function setTabIcon(path: string): void {
  document.querySelector('link[rel="icon"]')?.setAttribute('href', path)
}
