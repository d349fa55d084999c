import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from './ports.ts'

export interface Duet {
  baseURL: string
  dataDir: string
  /** Waits for a sign-in code emailed to `email`, and returns the newest one that it hasn't returned before. */
  outbox(email: string): Promise<string>
  stop(): Promise<void>
}

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
export const mainOf = (folder: string): string => join(folder, 'server/dist/main.js')
export const serverFile = mainOf(root)

/** Returns the Node flags for a checkout's server. Earlier versions have no list of flags. */
export function nodeFlagsOf(folder: string): string[] {
  const file = join(folder, 'scripts/node-flags.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : ['--enable-source-maps']
}

export function makeRelease(): { folder: string; remove(): void } {
  const top = mkdtempSync(join(tmpdir(), 'duet-release-'))
  const folder = join(top, 'duet')
  execFileSync(process.execPath, [join(root, 'scripts/release.mjs'), '--folder', folder], { stdio: 'pipe' })
  return { folder, remove: () => rmSync(top, { recursive: true, force: true }) }
}

/** A Duet that already runs at DUET_URL. Sign-in codes are read from its data folder, DUET_DATA_DIR. */
export function runningDuet(): Duet | undefined {
  const { DUET_URL: baseURL, DUET_DATA_DIR: dataDir } = process.env
  if (!baseURL || !dataDir) return undefined
  const seen = new Set(mailsIn(join(dataDir, 'outbox')))
  return {
    baseURL,
    dataDir,
    stop: async () => undefined,
    outbox: (email) => nextCode(join(dataDir, 'outbox'), email, seen),
  }
}

/**
 * Starts the built server on a free port and waits until it is ready. `environment` overrides the defaults. `released`
 * is the folder of a release, which can use nothing of this machine except Node.
 */
export async function startDuet(environment: Record<string, string> = {}, released?: string): Promise<Duet> {
  const dataDir = mkdtempSync(join(tmpdir(), 'duet-e2e-'))
  const port = await freePort()
  const baseURL = `http://localhost:${port}`
  const own = {
    PORT: String(port),
    PUBLIC_URL: baseURL,
    DATA_DIR: dataDir,
    RATE_LIMIT_SCALE: '1000',
    LOG_LEVEL: 'warn',
  }
  const server = launch({ ...own, ...environment }, released)
  const output: Buffer[] = []
  server.stdout?.on('data', (chunk) => output.push(chunk))
  server.stderr?.on('data', (chunk) => output.push(chunk))
  const stop = async () => {
    await end(server)
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    await untilReady(`http://127.0.0.1:${port}/readyz`, server)
  } catch (error) {
    await stop()
    throw new Error(`${(error as Error).message}\n${Buffer.concat(output)}`)
  }
  const seen = new Set<string>()
  return { baseURL, dataDir, stop, outbox: (email) => nextCode(join(dataDir, 'outbox'), email, seen) }
}

function launch(environment: Record<string, string>, released: string | undefined): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(NODE_ENV|DEMO|\w+_URL)$/.test(name))
  const folder = released ?? root
  // The lifeline stops the server if the test runner is killed.
  const args = [...nodeFlagsOf(root), '--import', join(root, 'scripts/lifeline.mjs'), mainOf(folder)]
  return spawn(process.execPath, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...(released ? { PATH: dirname(process.execPath) } : Object.fromEntries(inherited)), ...environment },
  })
}

async function untilReady(url: string, server: ChildProcess): Promise<void> {
  const deadline = Date.now() + 240_000
  while (Date.now() < deadline) {
    if (server.exitCode !== null || server.signalCode !== null) throw new Error('The server ended before it was ready.')
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok) return
    await sleep(50)
  }
  throw new Error('The server does not get ready.')
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  const insist = setTimeout(() => server.kill('SIGKILL'), 60_000)
  await ended
  clearTimeout(insist)
}

export async function nextCode(folder: string, email: string, seen: Set<string>): Promise<string> {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    for (const name of mailsIn(folder).filter((entry) => !seen.has(entry))) {
      const mail = readFileSync(join(folder, name), 'utf8')
      const to = /^To:(.*)$/im.exec(mail)?.[1]?.toLowerCase()
      const code = /^(\d{8})\r?$/m.exec(mail)?.[1]
      if (!code || !to?.includes(email.toLowerCase())) continue
      seen.add(name)
      return code
    }
    await sleep(50)
  }
  throw new Error(`no code was emailed to ${email}`)
}

/** Lists emails, newest first, because their file names start with the time. Skips partly written ones. */
export function mailsIn(folder: string): string[] {
  try {
    const mails = readdirSync(folder).filter((name) => name.endsWith('.eml') && !name.startsWith('.'))
    return mails.sort().reverse()
  } catch {
    return []
  }
}
