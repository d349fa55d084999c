// npm run NAME -- ARGUMENTS: runs one of the server's commands.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, fail, root } from './bootstrap.mjs'
import { ensureBuilt } from './build.mjs'
import { run } from './process.mjs'

const [name, ...args] = process.argv.slice(2)
if (!name || !existsSync(join(root, `server/src/cli/${name}.ts`))) fail(`There is no command named ${name}.`)
ensureInstalled()
await ensureBuilt(['server']).catch((error) => fail(error.message))
process.exit(await run(['--enable-source-maps', `server/dist/cli/${name}.js`, ...args]))
