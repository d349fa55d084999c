import { createContext, use } from 'react'

export const WaitingCount = createContext(0)

/**
 * Sets the tab's title, including the unread count, which a background tab couldn't show otherwise. Titles are recorded
 * in the browser's history, so they must not name people.
 */
export function PageTitle({ children }: { children: string }) {
  const count = use(WaitingCount)
  return <title>{`${count > 0 ? `(${count}) ` : ''}${children} · Duet`}</title>
}
