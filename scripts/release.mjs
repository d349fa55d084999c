// npm run release [-- --folder FOLDER]: collects everything that a server needs to run Duet, which is the built app and
// its production packages. The result needs only Node.js and the same platform. Without --folder, also packs
// release/duet-VERSION-COMMIT-PLATFORM.tar.gz.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureInstalled, fail, root } from './bootstrap.mjs'
import { ensureBuilt } from './build.mjs'
import { nodeFlags } from './process.mjs'
import { copyDocuments } from './release-documents.mjs'

const readJson = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'))
const { version, license, engines } = readJson('package.json')
const commands = ['admin', 'audit', 'seed', 'doctor', 'migrate', 'backup', 'restore']

/**
 * Returns the commit, with a suffix if the sources differ from it. Set COMMIT where there is no repository, as in an
 * image build.
 */
function commitOf() {
  if (process.env.COMMIT) return process.env.COMMIT
  const git = (...args) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    return git('rev-parse', '--short=12', 'HEAD') + (git('status', '--porcelain', '--untracked-files=no') && '.changed')
  } catch {
    return undefined
  }
}
const commit = commitOf()

const isNeeded = (path) =>
  !/\.(ts|mts|cts|tsx|map|md|markdown|flow|a)$/i.test(path) || /licen[cs]e/i.test(basename(path))

function productionPackages() {
  const { packages } = readJson('node_modules/.package-lock.json')
  const args = ['ls', '--workspace', '@duet/server', '--omit=dev', '--all', '--parseable']
  const listed = execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const paths = listed.split('\n').map((path) => relative(root, path).split(sep).join('/'))
  // Skip type packages and packages that only development tools need.
  return paths.filter((path) => {
    const found = packages[path]
    return found && !found.link && !found.dev && !found.devOptional && !path.includes('node_modules/@types/')
  })
}

function copyPackage(path, folder) {
  const from = join(root, path)
  // Skip nested packages, because those that are needed have their own entry in the list.
  const filter = (source) => isNeeded(source) && !relative(from, source).split(sep).includes('node_modules')
  cpSync(from, join(folder, path), { recursive: true, verbatimSymlinks: true, filter })
}

function manifest() {
  const run = (file, flags = ['--enable-source-maps']) => ['node', ...flags, `server/dist/${file}.js`].join(' ')
  const scripts = {
    start: run('main', nodeFlags),
    ...Object.fromEntries(commands.map((name) => [name, run(`cli/${name}`)])),
  }
  return { name: 'duet', private: true, version, license, type: 'module', engines, scripts }
}

async function release(folder) {
  await ensureBuilt()
  const unfinished = `${folder}.${process.pid}`
  try {
    for (const part of ['server/dist', 'web/dist'])
      cpSync(realpathSync(join(root, part)), join(unfinished, part), { recursive: true })
    for (const path of productionPackages()) copyPackage(path, unfinished)
    copyDocuments(unfinished)
    if (commit) writeFileSync(join(unfinished, 'server/dist/commit'), `${commit}\n`)
    cpSync(join(root, 'scripts/duet'), join(unfinished, 'duet'))
    writeFileSync(join(unfinished, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
    rmSync(folder, { recursive: true, force: true })
    renameSync(unfinished, folder)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

const { values } = parseArgs({ options: { folder: { type: 'string' } } })
ensureInstalled()
const kind = `duet-${version}${commit ? `-${commit}` : ''}-${process.platform}-${process.arch}`
const folder = resolve(values.folder ?? join(root, 'release', kind))
mkdirSync(dirname(folder), { recursive: true })
await release(folder).catch((error) => fail(`The release failed: ${error.message}`))
console.log(folder)
if (!values.folder) {
  const file = `${folder}.tar.gz`
  execFileSync('tar', ['-czf', file, '-C', dirname(folder), basename(folder)], { stdio: 'inherit' })
  console.log(`${file}, ${Math.round(statSync(file).size / 1e6)} MB`)
}
