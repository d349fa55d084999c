import { useCallback, useSyncExternalStore } from 'react'
import { useSession } from '../../../platform/session.ts'
import { deviceTexts } from '../../../platform/storage.ts'

// Local storage and not a database: a draft must be there at the first drawing, and other tabs hear of it by themselves.
const draftsOf = (viewerId: string) => `draft:${viewerId}:`
const draftKey = (id: string) => draftsOf(useSession.getState().user?.id ?? '') + id

// A tab hears of what others keep, and not of what it keeps itself.
const followers = new Set<() => void>()
const tellFollowers = () => {
  for (const follower of followers) follower()
}

/** What was written to someone and not sent yet. */
export const readDraft = (id: string): string => deviceTexts.read(draftKey(id)) ?? ''

/** Keeps what is written so far; it survives a reload. */
export function keepDraft(id: string, text: string): void {
  if (text) deviceTexts.write(draftKey(id), text)
  else deviceTexts.remove(draftKey(id))
  tellFollowers()
}

/** What is written to someone so far, in this tab or another one. */
export function useDraftTo(id: string): string {
  const follow = useCallback((changed: () => void) => {
    followers.add(changed)
    window.addEventListener('storage', changed)
    return () => {
      followers.delete(changed)
      window.removeEventListener('storage', changed)
    }
  }, [])
  return useSyncExternalStore(follow, () => readDraft(id))
}

/** Follows what is written to someone in another tab. Returns how to stop. */
export function followDraft(id: string, follow: (text: string) => void): () => void {
  const key = draftKey(id)
  const heard = (event: StorageEvent) => {
    if (event.key === key) follow(event.newValue ?? '')
  }
  window.addEventListener('storage', heard)
  return () => window.removeEventListener('storage', heard)
}

/** Forgets everything that someone began to write. */
export function forgetDrafts(viewerId: string): void {
  for (const key of deviceTexts.keys()) if (key.startsWith(draftsOf(viewerId))) deviceTexts.remove(key)
  tellFollowers()
}
