import { useEffect } from 'react'
import { permitted } from '../platform/permitted.ts'

/**
 * While the page is hidden, shows a count on the installed app's icon and a dot on the tab's icon. Signing out removes
 * both.
 */
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
