import { z } from 'zod'
import { UserId } from './ids.ts'

export const presenceRequests = {
  typing: { payload: z.object({ to: UserId }) },
  stop_typing: { payload: z.object({ to: UserId }) },
  /**
   * Whether someone is looking at this device. While they are, the content they see isn't pushed to their other
   * devices. True until the client sends this event.
   */
  looking: { payload: z.object({ looking: z.boolean() }) },
} as const

export const presenceEvents = {
  /** The whole list: any contact who isn't in it is offline. */
  user_online: z.array(z.object({ id: UserId })),
  typing: z.object({ senderId: UserId }),
  stop_typing: z.object({ senderId: UserId }),
} as const
