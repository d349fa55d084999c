import { useSyncExternalStore } from 'react'

// The list and a section stand beside each other from here on.
const wide = () => window.matchMedia('(min-width: 960px)')

function follow(change: () => void): () => void {
  const query = wide()
  query.addEventListener('change', change)
  return () => query.removeEventListener('change', change)
}

/** Whether there is room for the list of sections beside a section. */
export const useSideBySide = () => useSyncExternalStore(follow, () => wide().matches)
