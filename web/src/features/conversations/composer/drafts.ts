import { useCallback, useSyncExternalStore } from 'react'
import { ownTexts } from '../../../platform/personal/personal.ts'

// Drafts are in local storage, not a database: the first render needs them synchronously, and other tabs get `storage`
// events.
const draftKey = (id: string) => ownTexts().keyOf('draft', id)

// `storage` events don't fire in the tab that made the change, so this tab notifies its own rows. Listeners are grouped
// by key, so that a change rerenders only one row.
const followers = new Map<string, Set<() => void>>()
const tellFollowers = (key: string | null) => {
  const told = key === null ? [...followers.values()] : [followers.get(key) ?? []]
  for (const some of told) for (const follower of some) follower()
}
const hearOtherTabs = ({ key }: StorageEvent) => tellFollowers(key)

function follow(key: string, changed: () => void): () => void {
  if (followers.size === 0) window.addEventListener('storage', hearOtherTabs)
  const others = followers.get(key) ?? new Set()
  followers.set(key, others.add(changed))
  return () => {
    others.delete(changed)
    if (others.size === 0) followers.delete(key)
    if (followers.size === 0) window.removeEventListener('storage', hearOtherTabs)
  }
}

export const readDraft = (id: string): string => ownTexts().read('draft', id) ?? ''

export function keepDraft(id: string, text: string): void {
  if (text) ownTexts().write('draft', text, id)
  else ownTexts().remove('draft', id)
  tellFollowers(draftKey(id))
}

export function useDraftTo(id: string): string {
  const key = draftKey(id)
  const followIt = useCallback((changed: () => void) => follow(key, changed), [key])
  return useSyncExternalStore(followIt, () => readDraft(id))
}

export function followDraft(id: string, follow: (text: string) => void): () => void {
  const key = ownTexts().keyOf('draft', id)
  const heard = (event: StorageEvent) => {
    if (event.key === key) follow(event.newValue ?? '')
  }
  window.addEventListener('storage', heard)
  return () => window.removeEventListener('storage', heard)
}
