import { useSyncExternalStore } from 'react'

const wide = () => window.matchMedia('(min-width: 960px)')

function follow(change: () => void): () => void {
  const query = wide()
  query.addEventListener('change', change)
  return () => query.removeEventListener('change', change)
}

export const useSideBySide = () => useSyncExternalStore(follow, () => wide().matches)
