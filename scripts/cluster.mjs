// npm run cluster -- --nodes 3 --port 3000: runs several nodes on this machine with one PostgreSQL, one Redis and a
// load balancer, until Ctrl-C. With --ha, the database runs on three machines under Patroni, one of which may fail.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ensureInstalled, fail, root } from './bootstrap.mjs'
import { ensureBuilt } from './build.mjs'
import { missingPackages } from './ha.mjs'
import { nodeFlags, whenNpmEnds } from './process.mjs'
import { noteRunning } from './running.mjs'

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '3' },
    port: { type: 'string', default: process.env.PORT ?? '3000' },
    ha: { type: 'boolean', default: false },
  },
})
const [count, port] = [Number(values.nodes), Number(values.port)]
if (!Number.isInteger(count) || count < 1 || count > 9) fail('--nodes must be a number from 1 to 9.')
if (!Number.isInteger(port) || port < 1 || port > 65_535) fail('--port must be a number from 1 to 65535.')
const missing = ['redis-server', 'haproxy'].filter(
  (program) => spawnSync(program, ['-v'], { stdio: 'ignore' }).error !== undefined,
)
if (values.ha) missing.push(...missingPackages())
if (missing.length > 0) fail(`npm run cluster needs ${missing.join(' and ')}: apt-get install ${missing.join(' ')}`)

const folder = mkdtempSync(join(tmpdir(), 'duet-cluster-'))
const running = new Set()
let stopping = false

function relay(child, name, take = () => false) {
  for (const output of [child.stdout, child.stderr]) {
    createInterface({ input: output }).on('line', (line) => take(line) || console.log(`${name} | ${line}`))
  }
}

/** Starts a program detached from the terminal, so that Ctrl-C doesn't stop all programs at the same time. */
function start(name, command, args, { env = {}, ipc = false, take, onEnd } = {}) {
  const stdio = ['pipe', 'pipe', 'pipe', ...(ipc ? ['ipc'] : [])]
  const child = spawn(command, args, { cwd: root, detached: true, stdio, env: { ...process.env, ...env } })
  if (ipc) noteRunning(child, build)
  const program = { name, child, ended: once(child, 'exit') }
  running.add(program)
  relay(child, name, take)
  child.stdin.on('error', () => {})
  void program.ended.then(() => {
    running.delete(program)
    child.stdin.end('over\n')
    if (stopping) return
    if (onEnd) onEnd()
    else void stop(`${name} ended unexpectedly.`)
  })
}

// Runs Redis and HAProxy under a shell that stops them when our pipe closes, which happens even if we are killed.
const withLifeline = `main=$$; exec 3<&0
({ read -r word <&3; [ -n "$word" ] || kill "$main"; } >/dev/null 2>&1 &)
exec "$@" 3<&- </dev/null`
const startForeign = (name, command, options) => start(name, '/bin/sh', ['-c', withLifeline, 'sh', ...command], options)

function startBuilt(name, file, options) {
  const lifeline = join(root, 'scripts/lifeline.mjs')
  const args = [...nodeFlags, '--import', lifeline, join(build, file)]
  return start(name, process.execPath, args, { ipc: true, ...options })
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: free } = server.address()
  server.close()
  await once(server, 'close')
  return free
}

function openDatabase() {
  if (process.env.DATABASE_URL) return process.env.DATABASE_URL
  return new Promise((resolve) => {
    const take = (line) => {
      if (!/^postgres:\/\//.test(line)) return false
      resolve(line)
      return true
    }
    if (values.ha) start('database', process.execPath, ['--import', 'tsx', 'e2e/ha/show.ts'], { take })
    else startBuilt('database', 'cli/database.js', { take })
  })
}

function configureBalancer(ports) {
  const lines = (of) => ports.map((nodePort, n) => `  server node${n + 1} 127.0.0.1:${nodePort}${of(n + 1)}`).join('\n')
  const blocks = [lines(() => ''), lines((n) => ` track nodes/node${n} cookie node${n}`), lines(() => '')]
  const template = readFileSync(join(root, 'deploy/haproxy.cfg'), 'utf8')
  const config = template
    .replace(/ {2}# bind\n.*\n/, () => `  bind 127.0.0.1:${port}\n  bind [::1]:${port}\n`)
    .replace(/ {2}# nodes\n(?: {2}server .*\n?)+/g, () => `${blocks.shift()}\n`)
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, config)
  return file
}

const greeting = []
const takeGreeting = (line) => {
  if (/^Try it as /.test(line) && greeting.length === 0) greeting.push(line)
  return /^(Duet is ready|Try it as) /.test(line)
}

async function whenReady(ports) {
  const isReady = (at) =>
    fetch(`http://127.0.0.1:${at}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  for (const at of ports) while (!stopping && !(await isReady(at))) await sleep(100)
}

async function stop(reason) {
  if (stopping) return
  stopping = true
  if (reason) console.error(reason)
  // Stop in reverse order: the balancer first, the database last.
  for (const group of [/^haproxy$/, /^node/, /.*/]) {
    const some = [...running].filter(({ name }) => group.test(name))
    for (const { child } of some) child.kill('SIGTERM')
    await Promise.all(some.map(({ ended }) => ended))
  }
  rmSync(folder, { recursive: true, force: true })
  process.exit(reason ? 1 : 0)
}

ensureInstalled()
await ensureBuilt().catch((error) => fail(error.message))
const build = realpathSync(join(root, 'server/dist'))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop())
whenNpmEnds(() => void stop())

const redisPort = await freePort()
const quiet = ['--save', '', '--logfile', '/dev/null']
/** Restarts Redis whenever it ends, like a supervisor. None of its data needs to survive. */
function startRedis() {
  const onEnd = () => {
    console.log('redis has ended; starting it again')
    setTimeout(() => stopping || startRedis(), 1_000)
  }
  startForeign('redis', ['redis-server', '--port', String(redisPort), '--bind', '127.0.0.1', ...quiet], { onEnd })
}
startRedis()
const { DATABASE_URL, NODE_ENV, PUBLIC_URL = `http://localhost:${port}` } = process.env
const isHere = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|\/|$)/.test(PUBLIC_URL)
const demo = process.env.DEMO ?? (DATABASE_URL || NODE_ENV === 'production' || !isHere ? 'off' : 'on')
const shared = {
  DATABASE_URL: await openDatabase(),
  REDIS_URL: `redis://127.0.0.1:${redisPort}`,
  PUBLIC_URL,
  DEMO: demo,
  HOST: '127.0.0.1',
  TRUST_PROXY: 'loopback',
}
const ports = []
for (let n = 0; n < count; n++) ports.push(await freePort())
/** Restarts a node whenever it ends: kill one to see the others take over. */
function startNode(n) {
  const metrics = process.env.METRICS_PORT ? { METRICS_PORT: String(Number(process.env.METRICS_PORT) + n) } : {}
  const env = { ...shared, ...metrics, PORT: String(ports[n]) }
  const onEnd = () => {
    console.log(`node ${n + 1} has ended; starting it again`)
    setTimeout(() => stopping || startNode(n), 1_000)
  }
  startBuilt(`node ${n + 1}`, 'main.js', { env, take: takeGreeting, onEnd })
}
for (const n of ports.keys()) startNode(n)
await whenReady(ports)
const takeNotice = (line) => line.startsWith('[NOTICE]')
startForeign('haproxy', ['haproxy', '-db', '-f', configureBalancer(ports)], { take: takeNotice })
await whenReady([port])
if (!stopping) console.log([`Duet is ready at ${shared.PUBLIC_URL}, on ${count} nodes`, ...greeting].join('\n'))
