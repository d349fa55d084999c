import { WebSocket } from 'socket.io-client'
import { afterFailure, afterSilence, forgetWay, keepWay, keptWay } from './kept-way.ts'
import type { DuetSocket } from './line.ts'
import { Polling } from './polling.ts'

/** How long a WebSocket may take to deliver its first packet, in ms. */
const promptly = 4_000
/** How long after opening the liveness checks are loaded, in ms, so that they don't delay the first paint. */
const settled = 1_000

/** Some proxies accept a WebSocket but pass no data, so one without a timely first packet counts as failed. */
class PromptWebSocket extends WebSocket {
  private silence: ReturnType<typeof setTimeout> | undefined

  override doOpen(): this {
    super.doOpen()
    this.silence = setTimeout(() => {
      this.onError('websocket silent', undefined)
      if (this.readyState !== 'closed') this.doClose()
    }, promptly)
    return this
  }

  override onPacket(packet: Parameters<WebSocket['onPacket']>[0]): void {
    clearTimeout(this.silence)
    super.onPacket(packet)
  }

  override doClose(): void {
    clearTimeout(this.silence)
    super.doClose()
  }
}

const socketFirst = [PromptWebSocket, Polling]
// socket.io upgrades to the WebSocket once a probe has passed in both directions.
const pollingFirst = [Polling, PromptWebSocket]
const pollingOnly = [Polling]

export function wayNow() {
  const kept = keptWay()
  if (kept === afterFailure || kept === afterSilence) return pollingFirst
  return Number(kept) > Date.now() ? pollingOnly : socketFirst
}

export function followWay(socket: DuetSocket): void {
  const { io } = socket
  io.on('error', () => {
    const way = wayNow()
    if (way === socketFirst) keepWay(afterFailure)
    // Long polling failed as well, so the server was down and WebSocket isn't to blame.
    else if (way === pollingFirst) forgetWay()
  })
  io.on('open', () => {
    const { engine } = io
    const look = async () => {
      const { watchLine } = await import('./young-line.ts')
      if (io.engine === engine) watchLine(socket)
    }
    setTimeout(() => look().catch(() => undefined), settled)
  })
}
