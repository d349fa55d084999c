import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mainOf } from './server.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** Returns this checkout, or checks out `commit` in `folder` and builds it, reusing an earlier build there. */
export function checkOut(folder: string, commit: string | undefined): string {
  if (commit === undefined) return root
  const checkout = join(folder, 'checkout')
  if (existsSync(mainOf(checkout))) return checkout
  execFileSync('git', ['clone', '--quiet', root, checkout])
  execFileSync('git', ['checkout', '--quiet', commit], { cwd: checkout })
  execFileSync('npm', ['run', 'build'], { cwd: checkout, stdio: ['ignore', 'ignore', 'inherit'] })
  return checkout
}

const laterVersion = '99.0.0'
const laterMigrations = {
  '9998_later': 'alter table accounts add column later integer;',
  '9999_later_index':
    'drop index concurrently if exists accounts_later;\ncreate index concurrently accounts_later on accounts (later);',
}

/**
 * Creates a fake later release in `folder` from the current build. It has a higher version, migrations that add a
 * column and an index to a table in use, and changes in every file of database functions.
 */
export function makeLater(folder: string): string {
  const later = join(folder, 'later')
  const built = join(later, 'server/dist')
  cpSync(dirname(mainOf(root)), built, { recursive: true, dereference: true })
  cpSync(join(root, 'server/package.json'), join(later, 'server/package.json'))
  for (const packages of ['node_modules', 'server/node_modules'])
    symlinkSync(join(root, packages), join(later, packages))
  const { version } = JSON.parse(readFileSync(join(root, 'server/package.json'), 'utf8')) as { version: string }
  const rewrite = (path: string, change: (text: string) => string) => {
    const text = readFileSync(path, 'utf8')
    const changed = change(text)
    writeFileSync(path, changed)
    return changed !== text
  }
  const scripts = readdirSync(built).filter((file) => file.endsWith('.js'))
  const named = scripts.filter((name) =>
    rewrite(join(built, name), (text) => text.replace(`version: "${version}"`, `version: "${laterVersion}"`)),
  )
  if (named.length === 0) throw new Error('the version was not found in the build')
  for (const name of readdirSync(join(built, 'database/functions')))
    rewrite(join(built, 'database/functions', name), (text) => `${text}-- Of ${laterVersion}.\n`)
  for (const [name, text] of Object.entries(laterMigrations))
    writeFileSync(join(built, 'database/migrations', `${name}.sql`), text)
  return later
}
