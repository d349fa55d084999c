import { followLookedAt, isLookedAt } from '../../platform/looked-at.ts'
import { type DuetSocket, getSocket } from '../../platform/socket/socket.ts'

const atMostEvery = 3_000
const idleAfter = 5_000

/** Reports that we are typing, at most every three seconds, until we stop, send or leave. */
export function typingTo(to: string) {
  let lastTold = Number.NEGATIVE_INFINITY
  let idle: ReturnType<typeof setTimeout> | undefined
  const tell = (event: 'typing' | 'stop_typing') => {
    const socket = getSocket()
    if (socket?.connected) socket.emit(event, { to })
  }
  const stop = () => {
    clearTimeout(idle)
    if (lastTold > Number.NEGATIVE_INFINITY) tell('stop_typing')
    lastTold = Number.NEGATIVE_INFINITY
  }
  const typed = () => {
    clearTimeout(idle)
    idle = setTimeout(stop, idleAfter)
    if (Date.now() - lastTold < atMostEvery) return
    lastTold = Date.now()
    tell('typing')
  }
  return { typed, stop }
}

/** Reports whether someone is looking at this page, so that the server doesn't push to their other devices. */
export function followLooking(socket: DuetSocket): void {
  let stop: (() => void) | undefined
  const tell = () => {
    if (socket.connected) socket.emit('looking', { looking: isLookedAt() })
  }
  // The server assumes that a new connection is being looked at.
  socket.on('connect', () => {
    stop ??= followLookedAt(tell)
    if (!isLookedAt()) tell()
  })
  // A refused handshake closes the connection too; a later `connect` adds the listener again.
  socket.io.on('close', () => {
    if (socket.active) return
    stop?.()
    stop = undefined
  })
}
