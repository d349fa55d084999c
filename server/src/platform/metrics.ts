import { createServer, type Server } from 'node:http'
import { collectDefaultMetrics, Registry } from 'prom-client'

/** Serves `GET /metrics` for Prometheus on a port of its own, on this machine only. */
export function serveMetrics(port: number, realtime: { liveSessions(): string[] }): Promise<Server> {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return new Promise((resolve, reject) => {
    const server = createServer((request, response) => {
      if (request.url !== '/metrics') return void response.writeHead(404).end()
      registry.metrics().then(
        (text) =>
          response
            .writeHead(200, { 'content-type': registry.contentType })
            .end(`${text}duet_live_sessions ${realtime.liveSessions().length}\n`),
        () => response.writeHead(500).end(),
      )
    })
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}
