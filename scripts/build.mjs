import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureInstalled, root } from './bootstrap.mjs'
import { findRunning } from './running.mjs'

const keptBuilds = 2

const isTest = (name) => /\.test\.tsx?$/.test(name)

function filesUnder(path) {
  if (!existsSync(path)) return []
  if (/\.[^/.]+$/.test(path)) return [path]
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => !isTest(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesUnder(join(path, entry.name)) : [join(path, entry.name)]))
}

function contentHash(paths) {
  const hash = createHash('sha256')
  for (const file of paths.flatMap((path) => filesUnder(join(root, path)))) {
    hash.update(`${relative(root, file)}\n`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

const shared = ['package-lock.json', 'tsconfig.base.json', 'scripts/build.mjs', 'contract/src']
const parts = {
  server: {
    from: [...shared, 'server/package.json', 'server/src', 'server/database', 'server/places.br'],
    build: buildServer,
  },
  web: {
    from: [
      ...shared,
      ...['web/package.json', 'web/vite.config.ts', 'web/index.html', 'web/public', 'web/src', 'web/stand-ins'],
    ],
    build: buildWeb,
  },
}

const workers = ['server/src/features/matching/training.worker.ts']

export function serverBundle(outdir = 'server/dist') {
  const cli = readdirSync(join(root, 'server/src/cli'), { withFileTypes: true })
  const commands = cli.filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !isTest(entry.name))
  return {
    absWorkingDir: root,
    entryPoints: ['server/src/main.ts', ...workers, ...commands.map(({ name }) => `server/src/cli/${name}`)].filter(
      existsFrom,
    ),
    outbase: 'server/src',
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    logLevel: 'warning',
    plugins: [{ name: 'packages stay outside', setup: leavePackagesOutside }],
  }
}

const existsFrom = (path) => existsSync(join(root, path))

function leavePackagesOutside(build) {
  build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
    kind === 'entry-point' || path.startsWith('@duet/') ? undefined : { path, external: true },
  )
}

/** Links `dist` to the newest build. An older build's folder stays as long as a process runs from it. */
function linkNewest(name, folder) {
  const dist = join(root, name, 'dist')
  const link = `${dist}.${process.pid}`
  symlinkSync(basename(folder), link)
  // Older versions of this script created a folder instead of a link.
  if (existsSync(dist) && !lstatSync(dist).isSymbolicLink()) rmSync(dist, { recursive: true, force: true })
  renameSync(link, dist)
}

/** Removes unused builds, except the newest few, to which switching back is then quick. */
function removeOld(name, newest) {
  const used = new Set(findRunning().flatMap(({ folders }) => folders.map((folder) => basename(folder))))
  const isBuild = (entry) => /^dist-[0-9a-f]{12}$/.test(entry) && entry !== basename(newest)
  const age = (entry) => statSync(join(root, name, entry), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const old = readdirSync(join(root, name)).filter(isBuild)
  for (const entry of old.sort((one, other) => age(other) - age(one)).slice(keptBuilds))
    if (!used.has(entry)) rmSync(join(root, name, entry), { recursive: true, force: true })
}

async function buildServer(finished) {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({ ...serverBundle(), write: false }).catch(() => {
    throw new Error('The server could not be built; the reason is above.')
  })
  const dist = join(root, 'server/dist')
  for (const { path, contents } of outputFiles) {
    const file = join(finished, relative(dist, path))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, contents)
  }
  // Copied, so that a running build's schema and places don't change with the sources.
  for (const name of ['database', 'places.br'])
    cpSync(join(root, 'server', name), join(finished, name), { recursive: true })
}

// Vite runs in a separate process because it sets NODE_ENV=production for the whole process.
async function buildWeb(finished) {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const args = ['build', 'web', '--outDir', finished, '--emptyOutDir', '--logLevel', 'warn']
  const child = spawn(process.execPath, [vite, ...args], { cwd: root, stdio: 'inherit' })
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error('The web app could not be built; the reason is above.')
}

async function ensurePart(name) {
  const { from, build } = parts[name]
  const folder = join(root, name, `dist-${contentHash(from).slice(0, 12)}`)
  if (!existsSync(folder)) {
    const finished = join(root, name, '.cache', `dist-${process.pid}`)
    mkdirSync(finished, { recursive: true })
    try {
      await build(finished)
      moveTo(finished, folder)
    } finally {
      rmSync(finished, { recursive: true, force: true })
    }
  }
  linkNewest(name, folder)
  removeOld(name, folder)
}

function moveTo(finished, folder) {
  try {
    renameSync(finished, folder)
  } catch (error) {
    // Another process finished the same build first, and its folder is just as good.
    if (!existsSync(folder)) throw error
  }
}

export async function ensureBuilt(names = ['server', 'web']) {
  const results = await Promise.allSettled(names.map(ensurePart))
  const failed = results.find(({ status }) => status === 'rejected')
  if (failed) throw failed.reason
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  ensureInstalled()
  await ensureBuilt()
}
