import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Catch, Hole } from './hole.ts'
import { root } from './patch.ts'

interface Report {
  testResults: {
    name: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] | null }[]
  }[]
}

const config = 'server/src/test/security/switchboard/vitest.config.ts'
const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

async function runOnce(catches: readonly Catch[], hole?: Hole): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-'))
  const file = join(folder, 'report.json')
  const names = catches.flatMap(({ test, stands }) => [test, stands]).map(escaped)
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', config, '--reporter=json', `--outputFile=${file}`]
  const env = { ...process.env, HOLE: hole?.name ?? '', SECURITY_FIGURES: '', TEST_TIER: 'long' }
  const files = [...new Set(catches.map((one) => one.file))]
  const child = spawn(process.execPath, [...args, '-t', names.join('|'), ...files], { cwd: root, env, stdio: 'pipe' })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output += text
    })
  }
  await new Promise((resolve) => child.once('exit', resolve))
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Report
  } catch {
    throw new Error(`no test was run${hole ? ` with ${hole.name}` : ''}: ${output.slice(-2_000)}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Repeats once if no test could run: on a busy machine, a database may not start in time. */
async function runTests(catches: readonly Catch[], hole?: Hole): Promise<Report> {
  const report = await runOnce(catches, hole)
  return report.testResults.length > 0 ? report : runOnce(catches, hole)
}

function outcomesOf({ testResults }: Report, { file }: Catch, test: string) {
  const result = testResults.find(({ name }) => name.endsWith(file))
  const found = result?.assertionResults.filter(({ fullName }) => fullName.includes(test)) ?? []
  if (found.length === 0 || found.every(({ status }) => status === 'skipped' || status === 'pending'))
    throw new Error(`${file} did not run "${test}": ${result?.message.slice(0, 500) ?? 'it was not loaded'}`)
  return found
}

const firstLine = (text = '') => (text.split('\n')[0] ?? '').slice(0, 160)

/** Whether a test failed. Throws when it couldn't run properly, because that would prove nothing. */
function hasFailed(report: Report, one: Catch): boolean {
  const failed = outcomesOf(report, one, one.test).find(({ status }) => status === 'failed')
  if (!failed) return false
  const message = firstLine(failed.failureMessages?.[0])
  if (/^(SyntaxError|ReferenceError)/.test(message)) throw new Error(`"${one.test}" broke: ${message}`)
  return true
}

/** Runs the tests that must catch a vulnerability. Throws if one doesn't, or if its `stands` test fails too. */
export async function runHole(hole: Hole): Promise<void> {
  const report = await runTests(hole.caughtBy, hole)
  for (const one of hole.caughtBy) {
    if (!hasFailed(report, one)) throw new Error(`NOT CAUGHT by "${one.test}"`)
    if (outcomesOf(report, one, one.stands).some(({ status }) => status === 'failed'))
      throw new Error(`"${one.stands}" fails as well: more is broken than the hole`)
  }
}

/**
 * Runs the same tests without the vulnerability. Returns those that fail anyway, because their failure would prove
 * nothing.
 */
export async function runControl(holes: readonly Hole[]): Promise<Set<string>> {
  const catches = holes.flatMap(({ caughtBy }) => caughtBy)
  const report = await runTests(catches)
  const failing = (one: Catch, test: string) => {
    try {
      return outcomesOf(report, one, test).some(({ status }) => status === 'failed')
    } catch {
      // The test didn't run at all.
      return true
    }
  }
  return new Set(catches.flatMap((one) => [one.test, one.stands].filter((test) => failing(one, test))))
}
