import type { z } from 'zod'
import { conversationEvents, conversationRequests } from './conversations.ts'
import type { Events, Requests } from './event.ts'
import { likeEvents } from './likes.ts'
import { matchEvents } from './matches.ts'
import { notificationEvents } from './notifications.ts'
import { presenceEvents, presenceRequests } from './presence.ts'

export const requests = { ...conversationRequests, ...presenceRequests } as const
export const events = {
  ...conversationEvents,
  ...presenceEvents,
  ...notificationEvents,
  ...likeEvents,
  ...matchEvents,
} as const

export type RequestName = keyof typeof requests
export type EventName = keyof typeof events
export type EventPayload<E extends EventName> = z.output<(typeof events)[E]>

export type ClientToServerEvents = Requests<typeof requests>
export type ServerToClientEvents = Events<typeof events>
