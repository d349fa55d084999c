import { isLookedAt } from '../looked-at.ts'
import { afterSilence, forgetWay, keepWay, keptWay } from './kept-way.ts'
import type { DuetSocket } from './line.ts'

/** The pauses before each liveness check of a new WebSocket, and how long to wait for its response, in ms. */
const checks = [0, 3_000, 5_000, 7_000]
const patience = 6_000
/**
 * If a timer fires this late, in ms, the page was suspended, so a missing response doesn't mean that the connection is
 * dead.
 */
const late = 2_000
/** A WebSocket that goes silent within this time, in ms, may be blocked by a proxy. */
const young = 60_000
/** How long a tab avoids WebSocket after one has gone silent twice, in ms. */
const without = 60 * 60_000

type Watched = Pick<DuetSocket, 'io' | 'timeout'>

export function watchLine(socket: Watched): void {
  const { engine } = socket.io
  const watch = () => watchWebSocket(socket)
  if (engine.transport.name === 'websocket') watch()
  else engine.once('upgrade', watch)
}

function watchWebSocket(socket: Watched): void {
  const { engine } = socket.io
  if (engine.readyState !== 'open') return
  let isSilent = false
  // A WebSocket that lasts this long proves that the network allows WebSocket.
  const grown = setTimeout(() => {
    engine.off('close', onClose)
    forgetWay()
  }, young)
  // Only silence points to a proxy. Connections are also closed by the server, a refused token, a lost network or
  // signing out.
  const onClose = (reason: string) => {
    clearTimeout(grown)
    if (!navigator.onLine || !(isSilent || reason === 'ping timeout')) return
    // A stalled server looks the same, but is unlikely to cause silence twice: the next connection is long polling,
    // which would detect a stall.
    keepWay(keptWay() === afterSilence ? String(Date.now() + without) : afterSilence)
  }
  engine.once('close', onClose)
  checkLine(socket, () => {
    isSilent = true
    engine.close()
  })
}

/** Calls `onSilence` if a new WebSocket stops responding, which the heartbeat would take most of a minute to detect. */
function checkLine(socket: Watched, onSilence: () => void, round = 0): void {
  const wait = checks[round]
  const { engine } = socket.io
  if (wait === undefined) return
  setTimeout(async () => {
    if (engine.readyState !== 'open') return
    let isAlive = false
    const notice = () => {
      isAlive = true
    }
    engine.once('packet', notice)
    const askedAt = Date.now()
    const isAnswered = await askForSign(socket)
    engine.off('packet', notice)
    if (engine.readyState !== 'open') return
    if (isAnswered || isAlive) checkLine(socket, onSilence, round + 1)
    else if (Date.now() - askedAt > patience + late) checkLine(socket, onSilence, round)
    else onSilence()
  }, wait)
}

/** Checks that the server responds. It acknowledges every event, including `looking`. */
function askForSign(socket: Watched): Promise<boolean> {
  const asking = socket.timeout(patience) as unknown as { emitWithAck(name: string, payload: object): Promise<unknown> }
  return asking.emitWithAck('looking', { looking: isLookedAt() }).then(
    () => true,
    () => false,
  )
}
