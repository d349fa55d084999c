import { spawn } from 'node:child_process'
import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './bootstrap.mjs'
import { noteRunning } from './running.mjs'

/**
 * Node flags for the server. Each of the young generation's two semispaces gets 32 MB instead of 16, so that most
 * objects die before it fills up.
 */
export const nodeFlags = JSON.parse(readFileSync(join(root, 'scripts/node-flags.json'), 'utf8'))

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']

export async function run(args, { command = process.execPath, env = {} } = {}) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
  const handlers = signals.map((signal) => [signal, signal === 'SIGINT' ? () => {} : () => child.kill('SIGTERM')])
  for (const [signal, handler] of handlers) process.on(signal, handler)
  whenNpmEnds(() => child.kill('SIGTERM'))
  try {
    return await exitOf(child)
  } finally {
    for (const [signal, handler] of handlers) process.off(signal, handler)
  }
}

export async function runQuietly(args) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  whenNpmEnds(() => child.kill('SIGTERM'))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  return { code: await exitOf(child), output }
}

function exitOf(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 1)))
  })
}

/**
 * Starts the built server detached from the terminal. Otherwise Ctrl-C would reach it twice, from the terminal and
 * through npm. If this process is killed, the server stops because its IPC channel closes.
 */
export function startServer(env = {}, folder = 'server/dist') {
  const lifeline = join(root, 'scripts/lifeline.mjs')
  const build = realpathSync(join(root, folder))
  const child = spawn(process.execPath, [...nodeFlags, '--import', lifeline, join(build, 'main.js')], {
    cwd: root,
    detached: true,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...env },
  })
  noteRunning(child, build)
  return child
}

export async function runServer() {
  const child = startServer()
  let told = false
  const stop = (signal) => {
    if (told) return
    told = true
    child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal)
  }
  for (const signal of signals) process.on(signal, stop)
  whenNpmEnds(() => stop('SIGTERM'))
  return exitOf(child)
}

/**
 * Calls `act` when npm ends. A stopped npm kills its shell without forwarding the signal, so all we notice is that our
 * parent process changed.
 */
export function whenNpmEnds(act) {
  const parent = process.ppid
  if (!process.env.npm_lifecycle_event) return
  setInterval(() => process.ppid !== parent && act(), 200).unref()
}
