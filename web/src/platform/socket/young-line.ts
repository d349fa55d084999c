import { isLookedAt } from '../looked-at.ts'
import { afterSilence, forgetWay, keepWay, keptWay } from './kept-way.ts'
import type { DuetSocket } from './line.ts'

/** The pauses before each liveness check of a new WebSocket, and how long the answer may take, in ms. */
const checks = [0, 3_000, 5_000, 7_000]
const patience = 6_000
/** A timer that is this late, in ms, shows that the page was suspended, and says nothing about the connection. */
const late = 2_000
/** A WebSocket that goes silent before this age, in ms, may be blocked by a proxy. */
const young = 60_000
/** How long a tab avoids WebSocket after a second one went silent, in ms. */
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
  // A WebSocket that lives this long shows that the network allows it.
  const grown = setTimeout(() => {
    engine.off('close', onClose)
    forgetWay()
  }, young)
  // Only silence suggests a proxy: the server, a refused token, a lost network and signing out close connections too.
  const onClose = (reason: string) => {
    clearTimeout(grown)
    if (!navigator.onLine || !(isSilent || reason === 'ping timeout')) return
    // A stalled server looks the same, but hardly twice, because long polling, which comes next, would notice it.
    keepWay(keptWay() === afterSilence ? String(Date.now() + without) : afterSilence)
  }
  engine.once('close', onClose)
  checkLine(socket, () => {
    isSilent = true
    engine.close()
  })
}

/** Calls `onSilence` if a new WebSocket stops responding. Its heartbeat would take most of a minute to notice. */
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

/** Checks that the server responds. It acknowledges every event, even one like `looking` that needs no answer. */
function askForSign(socket: Watched): Promise<boolean> {
  const asking = socket.timeout(patience) as unknown as { emitWithAck(name: string, payload: object): Promise<unknown> }
  return asking.emitWithAck('looking', { looking: isLookedAt() }).then(
    () => true,
    () => false,
  )
}
