import type { Peer } from '@duet/contract/conversations.ts'
import { createContext, use } from 'react'
import type { Message } from './chat/conversation-list.ts'

/** Where a menu opens: a point of the window, in CSS pixels, or beside a box that it must not cover. */
export interface Spot {
  x: number
  y: number
  width?: number
  height?: number
  /** The side of the box on which the menu begins. */
  align?: 'start' | 'end'
}

/** What can be done from anywhere in an open thread. */
export interface ThreadActs {
  peer: Peer
  viewerId: string
  /** Links can be followed once both have written a few times. */
  linksLive: boolean
  /** Photos of the other one show without a tap. */
  photosOpen: boolean
  /** Begins an answer to a message, or a change of one of my own. */
  reply: (message: Message) => void
  edit: (message: Message) => void
  react: (message: Message, emoji: string | null) => void
  openMenu: (message: Message, spot: Spot) => void
  /** The message whose menu is open. */
  chosenKey?: string | undefined
  /** Brings a message into sight, loading what lies between when needed, and lets it shine for a moment. */
  goTo: (seq: number) => void
}

export const ThreadContext = createContext<ThreadActs | null>(null)

/** What can be done in the thread around. */
export function useThread(): ThreadActs {
  const acts = use(ThreadContext)
  if (!acts) throw new Error('There is no thread around.')
  return acts
}

/** A message that is being answered, or one of my own that is being changed. */
export interface ComposeMode {
  kind: 'reply' | 'edit'
  message: Message
}
