// Builds the server and the web app into their dist folders, each only when something it is made of has changed.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureInstalled, root } from './bootstrap.mjs'

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
  server: { from: [...shared, 'server/package.json', 'server/src'], build: buildServer },
  web: {
    from: [...shared, 'web/package.json', 'web/vite.config.ts', 'web/index.html', 'web/public', 'web/src'],
    build: buildWeb,
  },
}

/** What runs in threads of its own. */
const workers = ['server/src/features/matching/training.worker.ts']

/** How the server is bundled: our own code only; packages stay in node_modules. */
export function serverBundle() {
  const cli = readdirSync(join(root, 'server/src/cli'), { withFileTypes: true })
  const commands = cli.filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !isTest(entry.name))
  return {
    absWorkingDir: root,
    entryPoints: ['server/src/main.ts', ...workers, ...commands.map(({ name }) => `server/src/cli/${name}`)].filter(
      existsFrom,
    ),
    outbase: 'server/src',
    outdir: 'server/dist',
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

// A finished folder takes the place of the old one at once, so a build that fails leaves the old one whole.
function replaceFolder(finished, folder) {
  const old = `${finished}-old`
  try {
    if (existsSync(folder)) renameSync(folder, old)
    renameSync(finished, folder)
  } catch (error) {
    // Another process that builds the same was faster: its folder is as good.
    if (!existsSync(folder)) throw error
  }
  rmSync(old, { recursive: true, force: true })
}

async function buildServer(finished, hash) {
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
  writeFileSync(join(finished, '.built-from'), hash)
}

// In a process of its own: Vite turns the whole process into production.
async function buildWeb(finished, hash) {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const args = ['build', 'web', '--outDir', finished, '--emptyOutDir', '--logLevel', 'warn']
  const child = spawn(process.execPath, [vite, ...args], { cwd: root, stdio: 'inherit' })
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error('The web app could not be built; the reason is above.')
  writeFileSync(join(finished, '.built-from'), hash)
}

async function ensurePart(name) {
  const { from, build } = parts[name]
  const hash = contentHash(from)
  const folder = join(root, name, 'dist')
  const builtFrom = join(folder, '.built-from')
  if (existsSync(builtFrom) && readFileSync(builtFrom, 'utf8') === hash) return
  const finished = join(root, name, '.cache', `dist-${process.pid}`)
  mkdirSync(finished, { recursive: true })
  try {
    await build(finished, hash)
    replaceFolder(finished, folder)
  } finally {
    rmSync(finished, { recursive: true, force: true })
  }
}

/** Builds what changed of `names`, side by side. Throws when a part cannot be built. */
export async function ensureBuilt(names = ['server', 'web']) {
  const results = await Promise.allSettled(names.map(ensurePart))
  const failed = results.find(({ status }) => status === 'rejected')
  if (failed) throw failed.reason
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  ensureInstalled()
  await ensureBuilt()
}
