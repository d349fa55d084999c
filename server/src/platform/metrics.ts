import { createServer, type Server } from 'node:http'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Realtime } from './realtime.ts'

/** Serves `GET /metrics` for Prometheus on a port of its own, on this machine only. */
export function serveMetrics(port: number, realtime: Pick<Realtime, 'liveSessions' | 'figures'>): Promise<Server> {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  collectRealtime(registry, realtime)
  return new Promise((resolve, reject) => {
    const server = createServer((request, response) => {
      if (request.url !== '/metrics') return void response.writeHead(404).end()
      registry.metrics().then(
        (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
        () => response.writeHead(500).end(),
      )
    })
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}

function collectRealtime(registry: Registry, realtime: Pick<Realtime, 'liveSessions' | 'figures'>): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  gauge('duet_live_sessions', 'Sessions with a live connection', () => realtime.liveSessions().length)
  gauge('duet_connections', 'Live connections', () => realtime.figures().connections)
  gauge('duet_refused_handshakes', 'Connections refused in a storm, since the start', () => {
    return realtime.figures().refusedHandshakes
  })
  gauge(
    'duet_cut_off_connections',
    'Connections that did not keep up, since the start',
    () => realtime.figures().cutOff,
  )
  gauge('duet_dropped_events', 'Typing events that slow devices did not get', () => realtime.figures().dropped)
  gauge('duet_joined', 'Whether this node hears the others: 1 or 0', () => Number(realtime.figures().joined))
}
