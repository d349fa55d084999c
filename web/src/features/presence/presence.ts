import { followLookedAt, isLookedAt } from '../../platform/looked-at.ts'
import { type DuetSocket, getSocket } from '../../platform/socket/socket.ts'

const atMostEvery = 3_000
const idleAfter = 5_000

/** Sends typing events at most every three seconds, and a stop event when the person pauses, sends or leaves. */
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

/**
 * Reports whether the page is visible and focused. While it is, the server doesn't send push notifications to the
 * person's other devices.
 */
export function followLooking(socket: DuetSocket): void {
  let stop: (() => void) | undefined
  const tell = () => {
    if (socket.connected) socket.emit('looking', { looking: isLookedAt() })
  }
  // The server treats a new connection as visible until it is told otherwise.
  socket.on('connect', () => {
    stop ??= followLookedAt(tell)
    if (!isLookedAt()) tell()
  })
  // A refused handshake also closes the connection; a later `connect` adds the listener again.
  socket.io.on('close', () => {
    if (socket.active) return
    stop?.()
    stop = undefined
  })
}
