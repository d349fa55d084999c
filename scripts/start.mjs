// npm start: installs, builds what changed and runs the server until it is told to stop.
import { ensureInstalled, fail } from './bootstrap.mjs'
import { ensureBuilt } from './build.mjs'
import { runServer } from './process.mjs'

ensureInstalled()
await ensureBuilt().catch((error) => fail(error.message))
process.exit(await runServer())
