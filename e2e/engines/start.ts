import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../tools/ports.ts'

/** The HTTP path of each WebDriver command in WebKit's driver. The keys are Firefox's names for the commands. */
const routes = {
  Navigate: () => 'url',
  ExecuteScript: () => 'execute/sync',
  SetWindowRect: () => 'window/rect',
  PerformActions: () => 'actions',
  ElementClick: (id: string) => `element/${id}/click`,
  ElementSendKeys: (id: string) => `element/${id}/value`,
  ElementClear: (id: string) => `element/${id}/clear`,
}

export type Command = (
  name: keyof typeof routes,
  parameters: { id?: string; [name: string]: unknown },
) => Promise<unknown>

export interface Engine {
  command: Command
  stop: () => Promise<void>
}

const tidy = { LC_ALL: 'en_US.UTF-8', TZ: 'Europe/Berlin' }
// The shell kills its process group when its input closes, so that every process ends even if the test runner is
// killed.
const tied = '"$@" </dev/null & cat >/dev/null; kill -KILL 0'

function run(program: string, args: string[], env: Record<string, string> = {}): ChildProcess {
  const stdio = ['pipe', 'ignore', 'ignore', 'pipe'] as const
  return spawn('sh', ['-c', tied, 'sh', program, ...args], {
    ...{ detached: true, stdio: [...stdio] },
    env: { ...process.env, ...tidy, ...env },
  })
}

async function end(program: ChildProcess): Promise<void> {
  program.stdin?.end()
  // The pipe closes when the last process of the group ends.
  if (!program.stdio[3]?.destroyed) await once(program, 'close')
}

async function until<Thing>(what: string, look: () => Thing | undefined | Promise<Thing | undefined>): Promise<Thing> {
  for (const since = Date.now(); Date.now() - since < 60_000; await sleep(50)) {
    const thing = await Promise.resolve()
      .then(look)
      .catch(() => undefined)
    if (thing !== undefined) return thing
  }
  throw new Error(`${what} did not start in time.`)
}

export const missing = (programs: string[]): string[] =>
  programs.filter((program) => spawnSync('which', [program]).status !== 0)

export async function startWebKit(): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), 'duet-webkit-'))
  mkdirSync(join(folder, 'gtk-3.0'))
  // With this setting WebKit matches `prefers-reduced-motion`.
  writeFileSync(join(folder, 'gtk-3.0/settings.ini'), '[Settings]\ngtk-enable-animations=0\n')
  const screen = run('Xvfb', ['-displayfd', '3', '-nolisten', 'tcp', '-screen', '0', '1600x1200x24'])
  const display = await new Promise<string>((resolve) => screen.stdio[3]?.once('data', (data) => resolve(`${data}`)))
  const port = await freePort()
  const driver = run('WebKitWebDriver', [`--port=${port}`], {
    DISPLAY: `:${display.trim()}`,
    XDG_CONFIG_HOME: folder,
    LIBGL_ALWAYS_SOFTWARE: '1',
  })
  const ask = async (path: string, body?: object) => {
    const init = { method: 'POST', body: JSON.stringify(body) }
    const response = await fetch(`http://127.0.0.1:${port}/${path}`, body && init)
    const { value } = (await response.json()) as { value: { error?: string; message?: string; sessionId?: string } }
    if (value?.error) throw new Error(`${value.error}: ${value.message}`)
    return value
  }
  await until('WebKitWebDriver', () => ask('status'))
  const { sessionId } = await ask('session', { capabilities: {} })
  return {
    command: (name, { id, ...parameters }) => ask(`session/${sessionId}/${routes[name](id ?? '')}`, parameters),
    stop: async () => {
      for (const one of [driver, screen]) await end(one)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const preferences = {
  'marionette.port': 0,
  'intl.accept_languages': 'en-US',
  'ui.prefersReducedMotion': 1,
  // Declares a mouse: headless Firefox has none, so pages would get the touch layout.
  'ui.primaryPointerCapabilities': 6,
  'ui.allPointerCapabilities': 6,
  // Overlay scrollbars, as in the other engines.
  'ui.useOverlayScrollbars': 1,
  'widget.gtk.overlay-scrollbars.enabled': true,
  // APIs that WebKit on Linux lacks.
  'security.webauth.webauthn': false,
  'dom.push.enabled': false,
}

export async function startFirefox(): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), 'duet-firefox-'))
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`)
  writeFileSync(join(folder, 'user.js'), lines.join(''))
  const firefox = run('firefox-esr', ['--headless', '--marionette', '--no-remote', '--profile', folder])
  const port = await until(
    'Firefox',
    () => Number(readFileSync(join(folder, 'MarionetteActivePort'), 'utf8')) || undefined,
  )
  const socket = connect(port, '127.0.0.1')
  const ask = marionette(socket)
  await ask('NewSession', {})
  return {
    command: ask,
    stop: async () => {
      socket.destroy()
      await end(firefox)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Speaks Firefox's own WebDriver protocol (Marionette), in which each message is `length:[0, number, name,
 * parameters]`.
 */
function marionette(socket: Socket): (name: string, parameters: object) => Promise<unknown> {
  const waiting = new Map<number, (error: Error | undefined, value: unknown) => void>()
  let unread = Buffer.alloc(0)
  socket.on('data', (data) => {
    unread = Buffer.concat([unread, data])
    for (;;) {
      const colon = unread.indexOf(':')
      const end = colon + 1 + Number(unread.subarray(0, colon))
      if (colon === -1 || unread.length < end) return
      const message = JSON.parse(unread.subarray(colon + 1, end).toString())
      unread = unread.subarray(end)
      // The first message is a greeting, not an array.
      if (!Array.isArray(message)) continue
      const [, number, error, result] = message
      waiting.get(number)?.(error && new Error(`${error.error}: ${error.message}`), result?.value)
    }
  })
  let ended: Error | undefined
  // A `close` event follows each error, and its handler does the work.
  socket.on('error', () => {})
  socket.on('close', () => {
    ended = new Error('Firefox has ended.')
    for (const answer of waiting.values()) answer(ended, undefined)
  })
  let count = 0
  return (name, parameters) =>
    new Promise((resolve, reject) => {
      if (ended) return reject(ended)
      const number = count++
      waiting.set(number, (error, value) => (error ? reject(error) : resolve(value)))
      const text = JSON.stringify([0, number, `WebDriver:${name}`, parameters])
      socket.write(`${Buffer.byteLength(text)}:${text}`)
    })
}
