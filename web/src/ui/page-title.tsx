import { createContext, use } from 'react'

/** How much waits to be read, for the title of the tab. */
export const WaitingCount = createContext(0)

/**
 * What the tab of the browser is called while this is drawn, with how much waits: a tab in the background shows nothing
 * else. It stays in the history, so it names no one.
 */
export function PageTitle({ children }: { children: string }) {
  const count = use(WaitingCount)
  return <title>{`${count > 0 ? `(${count}) ` : ''}${children} · Duet`}</title>
}
