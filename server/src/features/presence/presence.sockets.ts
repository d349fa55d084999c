import type { presenceRequests } from '@duet/contract/presence.ts'
import type { Platform } from '../../platform/platform.ts'
import type { RequestHandler } from '../../platform/realtime/realtime.ts'
import type { Presence } from './presence.ts'

type Handlers = { [R in keyof typeof presenceRequests]: RequestHandler<R> }

/** Forwards typing indicators to contacts. They may be dropped, and aren't stored. */
export function presenceSockets({ realtime }: Pick<Platform, 'realtime'>, presence: Presence): Handlers {
  return {
    typing: ({ to }, { viewer }) => {
      if (presence.talk(viewer.id, to)) realtime.publishVolatile([to], 'typing', { senderId: viewer.id })
    },
    stop_typing: ({ to }, { viewer }) => {
      if (presence.talk(viewer.id, to)) realtime.publishVolatile([to], 'stop_typing', { senderId: viewer.id })
    },
    looking: ({ looking }, connection) => connection.setLooking(looking),
  }
}
