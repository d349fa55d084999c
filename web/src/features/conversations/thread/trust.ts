import { useState } from 'react'
import type { Conversation } from '../chat/conversation-list.ts'

/** How often both have written until links open, and until photos of the other one show without a tap. */
const wrote = { forLinks: 3, forPhotos: 2 }

export interface Trust {
  /** Both have written a few times: links can be followed, and no one is reminded to stay here. */
  met: boolean
  /** Photos of the other one show at once. */
  photosOpen: boolean
}

/** How far two have come, by the messages of each that are loaded and not taken back. What was reached stays so while the thread is open. */
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
