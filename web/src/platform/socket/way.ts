import { WebSocket } from 'socket.io-client'
import { afterFailure, afterSilence, forgetWay, keepWay, keptWay } from './kept-way.ts'
import type { DuetSocket } from './line.ts'
import { Polling } from './polling.ts'

/** How long to wait for a WebSocket's first packet, in ms. */
const promptly = 4_000
/**
 * How long after the connection opens to load the liveness checks, in ms. The delay keeps them from slowing the first
 * paint.
 */
const settled = 1_000

/** Fails if the first packet is late, because some proxies accept a WebSocket but pass no data. */
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
// socket.io upgrades to WebSocket once a probe has passed in both directions.
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
    // Long polling failed as well, so the server was down and WebSocket wasn't the cause.
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
