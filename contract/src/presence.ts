import { z } from 'zod'
import { UserId } from './ids.ts'

export const presenceRequests = {
  typing: { payload: z.object({ to: UserId }) },
  stop_typing: { payload: z.object({ to: UserId }) },
  /**
   * Whether someone is looking at this device; if so, what they see there isn't pushed to their other devices. True
   * until set.
   */
  looking: { payload: z.object({ looking: z.boolean() }) },
} as const

export const presenceEvents = {
  /** All my contacts who are online. Everyone else is offline. */
  user_online: z.array(z.object({ id: UserId })),
  typing: z.object({ senderId: UserId }),
  stop_typing: z.object({ senderId: UserId }),
} as const
