import { useState } from 'react'
import type { Conversation } from '../chat/conversation-list.ts'

/** How many messages each of the two must have written. */
const wrote = { forLinks: 3, forPhotos: 2 }

export interface Trust {
  /** Links are clickable, and there are no more nudges to stay on Duet. */
  met: boolean
  /** The other person's photos show without a tap. */
  photosOpen: boolean
}

/** Counts the loaded, undeleted messages of each. A level once reached holds while the thread is open. */
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
