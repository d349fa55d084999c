// npm test: the fault suite, which mostly waits, beside the checks that run nothing; then each suite. Stops where
// something fails. --no-browser leaves the browser journeys out.
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
const tool = (path, ...args) => run([join('node_modules', path), ...args])
const quietly = (path, ...args) => runQuietly([join('node_modules', path), ...args])
const tsc = (project) => quietly('typescript/bin/tsc', '-p', project)

/** As many at once as there are cores on the smallest machine. */
const atOnce = 2
const checks = [
  { name: 'faults', run: runFaultSuite },
  { name: 'types', run: () => tsc('tsconfig.json') },
  { name: 'types of the web app', run: () => tsc('web/tsconfig.json') },
  { name: 'types of journeys and benches', run: () => tsc('e2e/tsconfig.json') },
  { name: 'format and lint', run: () => quietly('@biomejs/biome/bin/biome', 'check', '.') },
  { name: 'boundaries', run: checkBoundaries },
  { name: 'unused code and packages', run: () => quietly('knip/bin/knip.js') },
]
const steps = [
  { name: 'unit and integration tests', run: runVitest },
  { name: 'build', run: () => ensureBuilt().then(() => 0) },
  ...(withBrowser ? [{ name: 'browser journeys', run: runPlaywright }] : []),
]

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
  return tool('vitest/vitest.mjs', 'run', ...reporters)
}

async function runFaultSuite() {
  const result = await runFaults(['--minutes', '0.15'], runQuietly)
  if (!result) console.log('The fault suite is skipped: it needs redis-server on the PATH, and there is none.')
  else console.log(result.output.trimEnd())
  return { code: result?.code ?? 0, output: '' }
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

async function runChecks() {
  const waiting = [...checks]
  const done = []
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const since = performance.now()
      const { code, output } = await check.run().catch((error) => ({ code: 1, output: error.message }))
      const line = `${code === 0 ? 'passed' : 'FAILED'}  ${check.name}, ${seconds(since)}`
      console.log(code === 0 ? line : `\n── ${check.name}\n${output.trimEnd()}\n${line}`)
      done.push({ code, line })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return done
}

ensureInstalled()
mkdirSync(join(root, 'test-results'), { recursive: true })
for (const report of Object.values(reports)) rmSync(join(root, report), { force: true })
const done = await runChecks()
const todo = [...steps]
while (todo.length > 0 && done.every(({ code }) => code === 0)) {
  const result = await runStep(todo.shift())
  console.log(result.line)
  done.push(result)
}
console.log(`\n${done.map(({ line }) => line).join('\n')}`)
if (todo.length > 0) console.log(`not run: ${todo.map(({ name }) => name).join(', ')}`)
const { passed, failed } = count()
console.log(`${passed} passed, ${failed} failed`)
process.exit(done.every(({ code }) => code === 0) ? 0 : 1)
