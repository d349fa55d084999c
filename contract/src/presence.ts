import { z } from 'zod'
import { UserId } from './ids.ts'

export const presenceRequests = {
  typing: { payload: z.object({ to: UserId }) },
  stop_typing: { payload: z.object({ to: UserId }) },
} as const

export const presenceEvents = {
  /** Everybody online among the people I talk to; whoever is not listed is offline. */
  user_online: z.array(z.object({ id: UserId })),
  typing: z.object({ senderId: UserId }),
  stop_typing: z.object({ senderId: UserId }),
} as const
