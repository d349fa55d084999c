// npm run test:faults: injects faults into everything that messages pass through, and counts lost messages. --minutes N
// runs random faults for N minutes; --seed N repeats a run.
import { spawnSync } from 'node:child_process'
import { ensureInstalled, fail } from './bootstrap.mjs'
import { ensureBuilt } from './build.mjs'
import { run } from './process.mjs'

export async function runFaults(args = [], start = run) {
  if (spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status !== 0) return undefined
  await ensureBuilt(['server'])
  return start(['--import', 'tsx', 'e2e/faults/main.ts', ...args])
}

if (process.argv[1]?.endsWith('faults.mjs')) {
  ensureInstalled()
  const code = await runFaults(process.argv.slice(2)).catch((error) => fail(error.message))
  process.exit(code ?? fail('The fault suite needs redis-server on the PATH.'))
}
