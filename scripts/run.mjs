// npm run NAME -- ARGUMENTS: runs one of the server's commands.
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, fail, root } from './bootstrap.mjs'
import { ensureBuilt } from './build.mjs'
import { run } from './process.mjs'
import { findRunning } from './running.mjs'

const [name, ...args] = process.argv.slice(2)
if (!name || !existsSync(join(root, `server/src/cli/${name}.ts`))) fail(`There is no command named ${name}.`)

/**
 * Prefers the build of a running server: its schema matches the database, and installing or building could break that
 * server.
 */
async function findBuild() {
  const [running] = findRunning()
  const [folder = ''] = running?.folders ?? []
  if (existsSync(join(folder, 'cli', `${name}.js`))) return folder
  ensureInstalled()
  await ensureBuilt(['server']).catch((error) => fail(error.message))
  return realpathSync(join(root, 'server/dist'))
}

process.exit(await run(['--enable-source-maps', join(await findBuild(), 'cli', `${name}.js`), ...args]))
