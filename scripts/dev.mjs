// npm run dev: serves the web app at http://localhost:5173 with hot reload, and restarts the server on changes.
import { ensureInstalled } from './bootstrap.mjs'
import { serverBundle } from './build.mjs'
import { startServer, whenNpmEnds } from './process.mjs'

ensureInstalled()
const webPort = 5173
const serverPort = process.env.PORT ?? '3000'
const target = `http://127.0.0.1:${serverPort}`
const { context } = await import('esbuild')
const { createServer } = await import('vite')

let server
let stopping = false

async function stopServer() {
  const old = server
  server = undefined
  if (!old || old.exitCode !== null || old.signalCode !== null) return
  const closed = new Promise((resolve) => old.once('close', resolve))
  old.kill('SIGTERM')
  await closed
}

let restarts = Promise.resolve()
function restart() {
  restarts = restarts.then(async () => {
    if (stopping) return
    await stopServer()
    server = startServer({ PORT: serverPort, PUBLIC_URL: `http://localhost:${webPort}` }, folder)
  })
}

// Uses a separate folder, because this build changes constantly and nothing else should run from it.
const folder = 'server/dist-dev'
const bundle = serverBundle(folder)
const restartPlugin = {
  name: 'restart',
  setup: (build) => build.onEnd(({ errors }) => (errors.length === 0 ? restart() : undefined)),
}
const watched = await context({ ...bundle, plugins: [...bundle.plugins, restartPlugin] })
await watched.watch()

const proxy = { '/api': target, '/media': target, '/dev': target, '/socket.io': { target, ws: true } }
const web = await createServer({ root: 'web', server: { port: webPort, strictPort: true, proxy } })
await web.listen()
web.printUrls()

async function stop() {
  if (stopping) return
  stopping = true
  await Promise.all([watched.dispose(), web.close()])
  await restarts
  await stopServer()
  process.exit(0)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
whenNpmEnds(stop)
