import { useSession } from '../../platform/session.ts'

// Local storage and not a database: a draft must be there at the first drawing, and other tabs hear of it by themselves.
const draftsOf = (viewerId: string) => `draft:${viewerId}:`
const draftKey = (id: string) => draftsOf(useSession.getState().user?.id ?? '') + id

/** What was written to somebody and not sent yet. */
export const readDraft = (id: string): string => localStorage.getItem(draftKey(id)) ?? ''

/** Keeps what is written so far; it survives a reload. */
export function keepDraft(id: string, text: string): void {
  try {
    if (text) localStorage.setItem(draftKey(id), text)
    else localStorage.removeItem(draftKey(id))
  } catch {
    // A full storage keeps no more drafts; the text box still has the text.
  }
}

/** Follows what is written to somebody in another tab. Returns how to stop. */
export function followDraft(id: string, follow: (text: string) => void): () => void {
  const key = draftKey(id)
  const heard = (event: StorageEvent) => {
    if (event.key === key) follow(event.newValue ?? '')
  }
  window.addEventListener('storage', heard)
  return () => window.removeEventListener('storage', heard)
}

/** Forgets everything that somebody began to write. */
export function forgetDrafts(viewerId: string): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(draftsOf(viewerId))) localStorage.removeItem(key)
}
