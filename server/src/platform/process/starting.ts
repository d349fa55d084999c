import { once } from 'node:events'
import { createServer } from 'node:http'

const answer = JSON.stringify({
  type: 'about:blank',
  title: 'Service Unavailable',
  status: 503,
  detail: 'Duet is starting. Try again in a moment.',
  code: 'unavailable',
})

/**
 * Opens the port before anything else, so that a port in use fails the start immediately and health checks are answered
 * while the database recovers. Does nothing for port 0, which means any free port.
 */
export async function holdPort(port: number | undefined, host: string): Promise<() => Promise<void>> {
  if (!port) return async () => {}
  const server = createServer(({ url = '' }, response) => {
    const headers = { connection: 'close', 'cache-control': 'no-store' }
    if (url.split('?')[0] === '/healthz')
      return response.writeHead(200, { ...headers, 'content-type': 'application/json' }).end('{"ok":true}')
    response.writeHead(503, { ...headers, 'content-type': 'application/problem+json', 'retry-after': '5' }).end(answer)
  })
  await once(server.listen({ port, host }), 'listening')
  return async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
}
