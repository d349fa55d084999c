import type { Peer } from '@duet/contract/conversations.ts'
import { createContext, use } from 'react'
import type { Message } from './chat/conversation-list.ts'

/** Where to open a menu: at a point in CSS pixels, or beside a box that it must not cover. */
export interface Spot {
  x: number
  y: number
  width?: number
  height?: number
  align?: 'start' | 'end'
}

export interface ThreadActs {
  peer: Peer
  viewerId: string
  linksLive: boolean
  photosOpen: boolean
  reply: (message: Message) => void
  edit: (message: Message) => void
  react: (message: Message, emoji: string | null) => void
  openMenu: (message: Message, spot: Spot) => void
  chosenKey?: string | undefined
  goTo: (seq: number) => void
}

export const ThreadContext = createContext<ThreadActs | null>(null)

export function useThread(): ThreadActs {
  const acts = use(ThreadContext)
  if (!acts) throw new Error('There is no thread around.')
  return acts
}

export interface ComposeMode {
  kind: 'reply' | 'edit'
  message: Message
}
