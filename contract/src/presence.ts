import { z } from 'zod'
import { UserId } from './ids.ts'

export const presenceRequests = {
  typing: { payload: z.object({ to: UserId }) },
  stop_typing: { payload: z.object({ to: UserId }) },
  /** Whether someone looks at this device: what they see there is not pushed to the others. Until it is said, they do. */
  looking: { payload: z.object({ looking: z.boolean() }) },
} as const

export const presenceEvents = {
  /** All the people I talk to who are online; the others are offline. */
  user_online: z.array(z.object({ id: UserId })),
  typing: z.object({ senderId: UserId }),
  stop_typing: z.object({ senderId: UserId }),
} as const
