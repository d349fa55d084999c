// npm test: runs static checks, all tests without a browser, and a few browser journeys in parallel. --no-browser skips
// the journeys. --long (npm run test:long) and --release (npm run test:release) run only tests that npm test leaves
// out, selected by tags (tools/vitest-tags.ts). After a failure, no further step starts.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runAudit } from './audit.mjs'
import { ensureInstalled, root } from './bootstrap.mjs'
import { ensureBuilt } from './build.mjs'
import { runFaults } from './faults.mjs'
import { missingPackages, runHa } from './ha.mjs'
import { runOnOldestPostgres } from './oldest-postgres.mjs'
import { run, runQuietly } from './process.mjs'
import { runUpdates } from './updates.mjs'

const began = performance.now()
const tier = ['long', 'release'].find((name) => process.argv.includes(`--${name}`)) ?? 'quick'
const withBrowser = !process.argv.includes('--no-browser')
const multiNodeSuite = 'server/src/test/multi-node.test.ts'
const reports = {
  vitest: 'test-results/vitest.json',
  playwright: 'test-results/playwright.json',
  flaky: 'test-results/flaky.json',
}
/** More flaky tests than this fail the run, because that many are no coincidence. */
const mostFlaky = 3
process.env.TEST_TIER = tier
const shown = async (path, args, env) => ({ code: await run([join('node_modules', path), ...args], { env }) })
const quietly = (path, ...args) => runQuietly([join('node_modules', path), ...args])
// A single checker thread: the default of four does twice the work, on cores that other lanes need.
const tsc = (project) => quietly('@typescript/native/bin/tsc', '-p', project, '--checkers', '1')

const installing = { name: 'install', run: async () => ensureInstalled() }
const auditing = { name: 'known vulnerabilities of packages', run: runAudit, isCheck: true }
const faults = { name: 'faults', run: () => runWithRedis(runFaults, ['--minutes', '0.5']) }
const updates = { name: 'updates', run: () => runWithRedis(runUpdates, []) }
const failovers = { name: 'failovers of the database', run: runHaSuite }
const oldestPostgres = { name: 'tests on PostgreSQL 15', run: runOldPostgres }
const building = { name: 'build', run: ensureBuilt }
const tests = { name: 'unit and integration tests', run: runVitest }
const journeys = withBrowser ? [{ name: 'browser journeys', run: runPlaywright }] : []

const checks = [
  { name: 'format and lint', run: () => quietly('@biomejs/biome/bin/biome', 'check', '.') },
  { name: 'boundaries', run: checkBoundaries },
  { name: 'unused code and packages', run: () => quietly('knip/bin/knip.js') },
  { name: 'types of the web app', run: () => tsc('web/tsconfig.json') },
  { name: 'types of the service worker', run: () => tsc('web/src/service-worker/tsconfig.json') },
  { name: 'types of all else', run: () => tsc('e2e/tsconfig.json') },
].map((check) => ({ ...check, isCheck: true }))
// Checks the server again without browser types, because browser APIs don't exist there.
const serverTypes = { name: 'types of the server alone', run: () => tsc('tsconfig.json'), isCheck: true }

const shownScript = async (...args) => ({ code: await run(args) })
const security = { name: 'security', run: () => shownScript('scripts/security.mjs') }
const switchboard = { name: 'switchboard', run: () => shownScript('scripts/security.mjs', '--switchboard') }

/** The steps in `first` run before everything else. Lanes run in parallel, and the steps of a lane in order. */
const first = [installing, building]
const lanes = {
  quick: [checks, [tests], journeys],
  // A single lane, because long races and load tests need the whole machine.
  long: [[auditing, serverTypes, tests, ...journeys]],
  release: [[faults, updates, failovers, oldestPostgres, tests, ...journeys, security, switchboard]],
}[tier]

async function checkBoundaries() {
  const cruise = (config, ...folders) =>
    quietly('dependency-cruiser/bin/dependency-cruise.mjs', ...folders, '--config', config)
  const folders = ['contract/src', 'server/src', 'web/src', 'e2e', 'bench/src', 'tools']
  const files = await cruise('.dependency-cruiser.cjs', ...folders)
  return files.code === 0 ? cruise('.dependency-cruiser.folders.cjs', 'server/src', 'web/src') : files
}

async function runVitest() {
  const hasRedis = spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0
  if (!hasRedis && existsSync(join(root, multiNodeSuite))) {
    console.log('Skipped the multi-node suite: redis-server is not on the PATH.')
  }
  const programs = ['systemd-analyze', 'promtool', 'caddy', 'nginx', 'haproxy', 'kubectl']
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }
  const missing = programs.filter((program) => spawnSync('which', [program], { env }).status !== 0)
  if (missing.length > 0) console.log(`Skipped checks of deploy/ with ${missing.join(', ')}: not on the PATH.`)
  const reporters = ['default', 'json', './tools/flaky-reporter.ts'].map((name) => `--reporter=${name}`)
  // The release tier excludes the security suite here because it runs it as a separate step.
  const left = tier === 'release' ? ['--exclude', 'server/src/test/security/**'] : []
  return shown('vitest/vitest.mjs', ['run', ...reporters, `--outputFile.json=${reports.vitest}`, ...left])
}

async function runWithRedis(suite, args) {
  const result = await suite(args, runQuietly)
  if (result) return { ...result, isTold: true }
  return { code: 0, output: 'Skipped: redis-server is not on the PATH.', isTold: true }
}

async function runHaSuite() {
  const result = await runHa([], runQuietly)
  if (result) return { ...result, isTold: true }
  return { code: 0, output: `Skipped: it needs ${missingPackages().join(', ')}.`, isTold: true }
}

async function runOldPostgres() {
  const code = await runOnOldestPostgres()
  return code === undefined ? { output: 'Skipped: it needs postgresql-15.', isTold: true } : { code }
}

async function runPlaywright() {
  const engines = { WebKit: ['WebKitWebDriver', 'Xvfb'], Firefox: ['firefox-esr'] }
  for (const [name, programs] of tier === 'long' ? Object.entries(engines) : []) {
    const missing = programs.filter((program) => spawnSync('which', [program]).status !== 0)
    if (missing.length > 0) console.log(`Skipped the journeys in ${name}: not on the PATH: ${missing.join(', ')}.`)
  }
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: join(root, reports.playwright) }
  return shown('@playwright/test/cli.js', ['test', '-c', 'e2e', '--reporter=list,json'], env)
}

function readReport(path) {
  return existsSync(join(root, path)) ? JSON.parse(readFileSync(join(root, path), 'utf8')) : undefined
}

/** Adds up the results of both test runners. A file that fails to load counts as one failure. */
function count() {
  const vitest = readReport(reports.vitest)
  const playwright = readReport(reports.playwright)
  const broken = vitest?.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
  const passed = (vitest?.numPassedTests ?? 0) + (playwright?.stats.expected ?? 0) + (playwright?.stats.flaky ?? 0)
  const failed = (vitest?.numFailedTests ?? 0) + (broken?.length ?? 0) + (playwright?.stats.unexpected ?? 0)
  const flaky = [...(readReport(reports.flaky) ?? []), ...(playwright?.suites.flatMap(flakyIn) ?? [])]
  return { passed, failed, flaky }
}

function flakyIn({ specs = [], suites = [] }) {
  const own = specs.filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
  return [...own.map(({ file, title }) => `e2e/${file} > ${title}`), ...suites.flatMap(flakyIn)]
}

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`

const done = []
const hasFailed = () => done.some(({ code }) => code !== 0)

async function runStep({ name, run: work }) {
  const since = performance.now()
  const { code = 0, output = '', isTold } = (await work().catch((error) => ({ code: 1, output: error.message }))) ?? {}
  const line = `${code === 0 ? 'passed' : 'FAILED'}  ${name}, ${seconds(since)}`
  console.log(output && (isTold || code !== 0) ? `\n── ${name}\n${output.trimEnd()}\n${line}` : line)
  done.push({ name, code, line })
}

async function runLane(steps) {
  for (const step of steps) if (step.isCheck || !hasFailed()) await runStep(step)
}

mkdirSync(join(root, 'test-results'), { recursive: true })
for (const report of Object.values(reports)) rmSync(join(root, report), { force: true })
await runLane(first)
await Promise.all(lanes.map(runLane))
console.log(`\n${done.map(({ line }) => line).join('\n')}`)
const notRun = [...first, ...lanes.flat()].filter(({ name }) => !done.some((one) => one.name === name))
if (notRun.length > 0) console.log(`not run: ${notRun.map(({ name }) => name).join(', ')}`)
const { passed, failed, flaky } = count()
for (const name of flaky) console.log(`flaky   ${name}`)
const isTooFlaky = flaky.length > mostFlaky
if (isTooFlaky) console.log(`FAILED  ${flaky.length} tests passed only on a retry; at most ${mostFlaky} may.`)
console.log(`${passed} passed, ${failed} failed, ${flaky.length} flaky, ${seconds(began)} in all`)
process.exit(hasFailed() || isTooFlaky ? 1 : 0)
