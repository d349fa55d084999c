// npm run test:updates -- --against COMMIT: replaces nodes of that commit by nodes of this one while people write, and counts
// what was acknowledged and what was answered with a fault.
import { ensureInstalled, fail } from './bootstrap.mjs'
import { ensureBuilt } from './build.mjs'
import { run } from './process.mjs'

ensureInstalled()
await ensureBuilt(['server']).catch((error) => fail(error.message))
process.exit(await run(['--import', 'tsx', 'e2e/updates/main.ts', ...process.argv.slice(2)]))
