import { useState } from 'react'
import type { Conversation } from '../chat/conversation-list.ts'

/** How many messages each person must have written for links to be clickable and for photos to show. */
const wrote = { forLinks: 3, forPhotos: 2 }

export interface Trust {
  /** True once links are clickable and reminders to stay on Duet stop. */
  met: boolean
  /** True once the other person's photos show without a tap. */
  photosOpen: boolean
}

/** Counts each person's loaded, undeleted messages. Once reached, a level of trust lasts while the thread is open. */
export function useTrust(conversation: Conversation | undefined, viewerId: string): Trust {
  const { id: peerId = '', messages = [], isRequest = false } = conversation ?? {}
  const [reached, setReached] = useState(0)
  const from = (id: string) =>
    messages.filter(({ senderId, seq, deletedAt }) => senderId === id && seq !== undefined && !deletedAt).length
  const times = Math.min(wrote.forLinks, reached < wrote.forLinks ? Math.min(from(viewerId), from(peerId)) : reached)
  if (times > reached) setReached(times)
  const most = Math.max(times, reached)
  return { met: most >= wrote.forLinks, photosOpen: most >= wrote.forPhotos && !isRequest }
}
