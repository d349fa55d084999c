import { createContext, use } from 'react'

export const WaitingCount = createContext(0)

/**
 * Sets the tab's title, with the unread count, since a background tab shows nothing else. Titles stay in the browser's
 * history, so they must not name people.
 */
export function PageTitle({ children }: { children: string }) {
  const count = use(WaitingCount)
  return <title>{`${count > 0 ? `(${count}) ` : ''}${children} · Duet`}</title>
}
