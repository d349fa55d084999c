import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

// Tests the npm scripts in a separate checkout with a very small server.
const slow = { timeout: 240_000 }
const root = fileURLToPath(new URL('../../../', import.meta.url))
const checkout = realpathSync(mkdtempSync(join(tmpdir(), 'duet-scripts-')))
const source = join(checkout, 'server/src/main.ts')
const children: ChildProcess[] = []

beforeAll(() => {
  for (const name of ['scripts', 'package.json', 'package-lock.json', 'tsconfig.base.json'])
    cpSync(join(root, name), join(checkout, name), { recursive: true })
  for (const name of ['contract', 'server', 'web', 'e2e', 'bench', 'tools']) {
    mkdirSync(join(checkout, name))
    cpSync(join(root, name, 'package.json'), join(checkout, name, 'package.json'))
  }
  for (const name of readdirSync(join(root, 'node_modules'), { withFileTypes: true })) {
    mkdirSync(join(checkout, 'node_modules'), { recursive: true })
    if (name.name === '.duet-lock' || name.name === '.package-lock.json') continue
    symlinkSync(join(root, 'node_modules', name.name), join(checkout, 'node_modules', name.name))
  }
  cpSync(join(root, 'node_modules/.package-lock.json'), join(checkout, 'node_modules/.package-lock.json'))
  mkdirSync(join(checkout, 'server/src/cli'), { recursive: true })
  for (const name of ['server/database', 'server/places.br'])
    cpSync(join(root, name), join(checkout, name), { recursive: true })
  const schemaFiles = 'server/src/platform/database/schema-files.ts'
  cpSync(join(root, schemaFiles), join(checkout, schemaFiles))
  writeFileSync(
    join(checkout, 'server/src/cli/schema.ts'),
    `import { readMigrations } from '../platform/database/schema-files.ts'\nconsole.log((await readMigrations()).at(-1)?.name)\n`,
  )
  writeFileSync(
    source,
    'console.log("one")\nprocess.on("SIGTERM", () => process.exit(0))\nsetInterval(() => {}, 60_000)\n',
  )
  writeFileSync(join(checkout, 'server/src/cli/look.ts'), 'console.log("looked with", "one")\n')
})
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(checkout, { recursive: true, force: true })
})

function node(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: checkout, encoding: 'utf8' })
  return { status, stdout, stderr }
}
const evaluate = (code: string) => node('--input-type=module', '-e', code)
function build(): string {
  const built = evaluate(`const { ensureBuilt } = await import('./scripts/build.mjs'); await ensureBuilt(['server'])`)
  expect(built).toEqual({ status: 0, stdout: '', stderr: '' })
  return realpathSync(join(checkout, 'server/dist'))
}
async function startServer(): Promise<ChildProcess> {
  const code = `const { runServer } = await import('./scripts/process.mjs'); process.exit(await runServer())`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('the server ended instead')))
  await Promise.race([once(child.stdout as NonNullable<typeof child.stdout>, 'data'), ended])
  ended.catch(() => undefined)
  return child
}
const builds = () => readdirSync(join(checkout, 'server')).filter((name) => name.startsWith('dist-'))

test('A running server keeps its build, commands and schema, whatever is built meanwhile.', {
  ...slow,
  tags: 'long',
}, async () => {
  const first = build()
  expect(build()).toBe(first)
  const server = await startServer()
  appendFileSync(join(checkout, 'server/src/cli/look.ts'), 'console.log("and changed")\n')
  expect(node('scripts/run.mjs', 'look')).toEqual({ status: 0, stdout: 'looked with one\n', stderr: '' })
  const schema = node('scripts/run.mjs', 'schema').stdout
  writeFileSync(join(checkout, 'server/database/migrations/9999_newer.sql'), 'select 1;')
  expect([schema, node('scripts/run.mjs', 'schema').stdout]).not.toContain('9999_newer\n')
  for (const number of [1, 2, 3, 4]) {
    appendFileSync(source, `console.log(${number})\n`)
    expect(build()).not.toBe(first)
  }
  expect(builds()).toContain(basename(first))
  expect(builds()).toHaveLength(4)

  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  expect((await ended)[0]).toBe(0)
  expect(node('scripts/run.mjs', 'look').stdout).toBe('looked with one\nand changed\n')
  expect(node('scripts/run.mjs', 'schema').stdout).toBe('9999_newer\n')
  appendFileSync(source, 'console.log(5)\n')
  build()
  expect(builds()).not.toContain(basename(first))
})

test('Packages are not reinstalled under a running server.', { ...slow, tags: 'long' }, async () => {
  build()
  const server = await startServer()
  rmSync(join(checkout, 'node_modules/.duet-lock'), { force: true })
  rmSync(join(checkout, 'node_modules/.package-lock.json'))
  const { status, stdout, stderr } = evaluate(`(await import('./scripts/bootstrap.mjs')).ensureInstalled()`)
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toMatch(
    /^Duet \(process \d+\) runs from this folder, and its packages have changed: stop it first\.\n$/,
  )
  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  await ended
})

test('where Duet does not run it says so in one line', slow, () => {
  const code = `Object.defineProperty(process, 'platform', { value: 'win32' }); (await import('./scripts/bootstrap.mjs')).ensureInstalled()`
  expect(evaluate(code)).toEqual({
    status: 1,
    stdout: '',
    stderr: 'Duet does not run on Windows itself: run it in WSL (wsl --install), see README.md.\n',
  })
})

test('No npm script needs a shell, so that Windows shows the explanation.', () => {
  const { stdout } = node('-p', `JSON.stringify(require('./package.json').scripts)`)
  for (const name of ['start', 'dev', 'test', 'doctor', 'backup', 'restore'])
    expect((JSON.parse(stdout) as Record<string, string>)[name]).toMatch(/^node scripts\//)
})
