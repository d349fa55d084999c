// npm test: every check in order; stops at the first that fails. --no-browser leaves the browser journeys out.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, root } from './bootstrap.mjs'
import { ensureBuilt } from './build.mjs'
import { runFaults } from './faults.mjs'
import { run } from './process.mjs'

const withBrowser = !process.argv.includes('--no-browser')
const multiNodeSuite = 'server/src/test/multi-node.test.ts'
const reports = { vitest: 'test-results/vitest.json', playwright: 'test-results/playwright.json' }
const tool = (path, ...args) => run([join('node_modules', path), ...args])
const tsc = (project) => tool('typescript/bin/tsc', '-p', project)

const steps = [
  { name: 'format and lint', run: () => tool('@biomejs/biome/bin/biome', 'check', '.') },
  { name: 'types', run: () => tsc('tsconfig.json') },
  { name: 'types of the web app', run: () => tsc('web/tsconfig.json') },
  { name: 'types of journeys and benches', run: () => tsc('e2e/tsconfig.json') },
  { name: 'boundaries', run: checkBoundaries },
  { name: 'unused code and packages', run: () => tool('knip/bin/knip.js') },
  { name: 'unit and integration tests', run: runVitest },
  { name: 'build', run: () => ensureBuilt().then(() => 0) },
  { name: 'faults', run: runFaultSuite },
  ...(withBrowser ? [{ name: 'browser journeys', run: runPlaywright }] : []),
]

function checkBoundaries() {
  const folders = ['contract/src', 'server/src', 'web/src']
  return tool('dependency-cruiser/bin/dependency-cruise.mjs', ...folders, '--config', '.dependency-cruiser.cjs')
}

function runVitest() {
  const hasRedis = spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0
  if (!hasRedis && existsSync(join(root, multiNodeSuite))) {
    console.log('The multi-node suite is skipped: it needs redis-server on the PATH, and there is none.')
  }
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reports.vitest}`]
  return tool('vitest/vitest.mjs', 'run', ...reporters)
}

async function runFaultSuite() {
  const code = await runFaults(['--minutes', '0.15'])
  if (code === undefined)
    console.log('The fault suite is skipped: it needs redis-server on the PATH, and there is none.')
  return code ?? 0
}

function runPlaywright() {
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: join(root, reports.playwright) }
  return run(['node_modules/@playwright/test/cli.js', 'test', '-c', 'e2e', '--reporter=list,json'], { env })
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

async function runStep(step) {
  const since = performance.now()
  console.log(`\n── ${step.name}`)
  const code = await step.run().catch((error) => {
    console.error(error.message)
    return 1
  })
  const result = code === 0 ? 'passed' : 'FAILED'
  return { code, line: `${result}  ${step.name}, ${seconds(since)}` }
}

ensureInstalled()
mkdirSync(join(root, 'test-results'), { recursive: true })
for (const report of Object.values(reports)) rmSync(join(root, report), { force: true })
const lines = []
let exitCode = 0
for (const step of steps) {
  const { code, line } = await runStep(step)
  console.log(line)
  lines.push(line)
  exitCode = code
  if (code !== 0) break
}
console.log(`\n${lines.join('\n')}`)
if (lines.length < steps.length)
  console.log(
    `not run: ${steps
      .slice(lines.length)
      .map(({ name }) => name)
      .join(', ')}`,
  )
const { passed, failed } = count()
console.log(`${passed} passed, ${failed} failed`)
process.exit(exitCode)
