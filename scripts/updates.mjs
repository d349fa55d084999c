// npm run test:updates: replaces the nodes of a release by those of the next one while people write, goes back and forward
// again, and counts what was acknowledged and what was answered with a fault. --against COMMIT: from that commit to this one.
import { spawnSync } from 'node:child_process'
import { ensureInstalled, fail } from './bootstrap.mjs'
import { ensureBuilt } from './build.mjs'
import { run } from './process.mjs'

/** Runs the suite on the built server; gives what `start` gives, or undefined where there is no redis-server. */
export async function runUpdates(args = [], start = run) {
  if (spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status !== 0) return undefined
  await ensureBuilt(['server'])
  return start(['--import', 'tsx', 'e2e/updates/main.ts', ...args])
}

if (process.argv[1]?.endsWith('updates.mjs')) {
  ensureInstalled()
  const code = await runUpdates(process.argv.slice(2)).catch((error) => fail(error.message))
  process.exit(code ?? fail('The suite of updates needs redis-server on the PATH, and there is none.'))
}
