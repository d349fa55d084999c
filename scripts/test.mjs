// npm test: the fault suite, which mostly waits, beside the checks that run nothing and the tests that need no browser;
// then the browser journeys. Starts nothing more once something has failed. --no-browser leaves the journeys out.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, root } from './bootstrap.mjs'
import { ensureBuilt } from './build.mjs'
import { runFaults } from './faults.mjs'
import { run, runQuietly } from './process.mjs'

const withBrowser = !process.argv.includes('--no-browser')
const multiNodeSuite = 'server/src/test/multi-node.test.ts'
const reports = { vitest: 'test-results/vitest.json', playwright: 'test-results/playwright.json' }
const shown = async (path, ...args) => ({ code: await run([join('node_modules', path), ...args]) })
const quietly = (path, ...args) => runQuietly([join('node_modules', path), ...args])
const tsc = (project) => quietly('typescript/bin/tsc', '-p', project)

/** What takes seconds: all of it is told, also when some of it fails. */
const checks = [
  { name: 'types', run: () => tsc('tsconfig.json') },
  { name: 'types of the web app', run: () => tsc('web/tsconfig.json') },
  { name: 'types of journeys and benches', run: () => tsc('e2e/tsconfig.json') },
  { name: 'format and lint', run: () => quietly('@biomejs/biome/bin/biome', 'check', '.') },
  { name: 'boundaries', run: checkBoundaries },
  { name: 'unused code and packages', run: () => quietly('knip/bin/knip.js') },
].map((check) => ({ ...check, isCheck: true }))

/** One after the other in each lane; as many lanes as there are cores on the smallest machine. */
const lanes = [
  [
    { name: 'faults', run: runFaultSuite },
    { name: 'build', run: () => ensureBuilt().then(() => ({ code: 0 })) },
  ],
  [...checks, { name: 'unit and integration tests', run: runVitest }],
]
const last = withBrowser ? [{ name: 'browser journeys', run: runPlaywright }] : []

function checkBoundaries() {
  const folders = ['contract/src', 'server/src', 'web/src']
  return quietly('dependency-cruiser/bin/dependency-cruise.mjs', ...folders, '--config', '.dependency-cruiser.cjs')
}

function runVitest() {
  const hasRedis = spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0
  if (!hasRedis && existsSync(join(root, multiNodeSuite))) {
    console.log('The multi-node suite is skipped: it needs redis-server on the PATH, and there is none.')
  }
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reports.vitest}`]
  return shown('vitest/vitest.mjs', 'run', ...reporters)
}

async function runFaultSuite() {
  const result = await runFaults(['--minutes', '0.15'], runQuietly)
  if (result) return { ...result, isTold: true }
  return { code: 0, output: 'It is skipped: it needs redis-server on the PATH, and there is none.', isTold: true }
}

async function runPlaywright() {
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: join(root, reports.playwright) }
  return {
    code: await run(['node_modules/@playwright/test/cli.js', 'test', '-c', 'e2e', '--reporter=list,json'], { env }),
  }
}

function readReport(path) {
  return existsSync(join(root, path)) ? JSON.parse(readFileSync(join(root, path), 'utf8')) : undefined
}

/** The sum of what the two runners report; a file that could not even be loaded counts as one failure. */
function count() {
  const vitest = readReport(reports.vitest)
  const playwright = readReport(reports.playwright)?.stats
  const broken = vitest?.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
  const passed = (vitest?.numPassedTests ?? 0) + (playwright?.expected ?? 0) + (playwright?.flaky ?? 0)
  const failed = (vitest?.numFailedTests ?? 0) + (broken?.length ?? 0) + (playwright?.unexpected ?? 0)
  return { passed, failed }
}

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`

const done = []
const hasFailed = () => done.some(({ code }) => code !== 0)

async function runStep({ name, run: work }) {
  const since = performance.now()
  const { code, output = '', isTold } = await work().catch((error) => ({ code: 1, output: error.message }))
  const line = `${code === 0 ? 'passed' : 'FAILED'}  ${name}, ${seconds(since)}`
  console.log(output && (isTold || code !== 0) ? `\n── ${name}\n${output.trimEnd()}\n${line}` : line)
  done.push({ name, code, line })
}

async function runLane(steps) {
  for (const step of steps) if (step.isCheck || !hasFailed()) await runStep(step)
}

ensureInstalled()
mkdirSync(join(root, 'test-results'), { recursive: true })
for (const report of Object.values(reports)) rmSync(join(root, report), { force: true })
await Promise.all(lanes.map(runLane))
await runLane(last)
console.log(`\n${done.map(({ line }) => line).join('\n')}`)
const notRun = [...lanes.flat(), ...last].filter(({ name }) => !done.some((one) => one.name === name))
if (notRun.length > 0) console.log(`not run: ${notRun.map(({ name }) => name).join(', ')}`)
const { passed, failed } = count()
console.log(`${passed} passed, ${failed} failed`)
process.exit(hasFailed() ? 1 : 0)
