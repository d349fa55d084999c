import type { Message } from './messages.ts'

/** What an earlier version of the page kept in local storage and never got an answer for. Takes it out of there. */
export function takeOldOutbox(viewerId: string): Message[] {
  const key = `outbox:${viewerId}`
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    localStorage.removeItem(key)
    return Array.isArray(stored) ? (stored as Message[]).filter(({ senderId }) => senderId === viewerId) : []
  } catch {
    return []
  }
}
