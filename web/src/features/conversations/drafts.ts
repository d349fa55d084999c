import { useSession } from '../../platform/session.ts'

const draftKey = (id: string) => `draft:${useSession.getState().user?.id ?? ''}:${id}`

/** What was written to somebody and not sent yet. */
export const readDraft = (id: string): string => localStorage.getItem(draftKey(id)) ?? ''

/** Keeps what is written so far; it survives a reload. */
export function keepDraft(id: string, text: string): void {
  if (text) localStorage.setItem(draftKey(id), text)
  else localStorage.removeItem(draftKey(id))
}
