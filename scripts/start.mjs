// npm start: installs packages, builds what changed and runs the server.
import { ensureInstalled, fail } from './bootstrap.mjs'
import { ensureBuilt } from './build.mjs'
import { runServer } from './process.mjs'

ensureInstalled()
await ensureBuilt().catch((error) => fail(error.message))
process.exit(await runServer())
