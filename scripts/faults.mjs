// npm run test:faults: breaks what messages pass through and counts them. --minutes N of random faults, --seed N repeats.
import { spawnSync } from 'node:child_process'
import { ensureInstalled, fail } from './bootstrap.mjs'
import { ensureBuilt } from './build.mjs'
import { run } from './process.mjs'

/** Runs the suite on the built server; gives what `start` gives, or undefined where there is no redis-server. */
export async function runFaults(args = [], start = run) {
  if (spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status !== 0) return undefined
  await ensureBuilt(['server'])
  return start(['--import', 'tsx', 'e2e/faults/main.ts', ...args])
}

if (process.argv[1]?.endsWith('faults.mjs')) {
  ensureInstalled()
  const code = await runFaults(process.argv.slice(2)).catch((error) => fail(error.message))
  process.exit(code ?? fail('The fault suite needs redis-server on the PATH, and there is none.'))
}
