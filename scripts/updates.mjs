// npm run test:updates: replaces the nodes of a release with the next release while people write, then goes back and
// forward again, and counts lost messages and error responses. --against COMMIT tests the update from that commit to
// this one.
import { spawnSync } from 'node:child_process'
import { ensureInstalled, fail } from './bootstrap.mjs'
import { ensureBuilt } from './build.mjs'
import { run } from './process.mjs'

export async function runUpdates(args = [], start = run) {
  if (spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status !== 0) return undefined
  await ensureBuilt(['server'])
  return start(['--import', 'tsx', 'e2e/updates/main.ts', ...args])
}

if (process.argv[1]?.endsWith('updates.mjs')) {
  ensureInstalled()
  const code = await runUpdates(process.argv.slice(2)).catch((error) => fail(error.message))
  process.exit(code ?? fail('The update suite needs redis-server on the PATH.'))
}
