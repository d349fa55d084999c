import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isSetting } from './config.ts'
import { CannotStart } from './platform/process/data-dir.ts'

export interface Unit {
  user: string | undefined
  environment: Record<string, string>
}

function unquoted(text: string, name: string): string {
  const single = /^'([^']*)'$/.exec(text)?.[1]
  const double = /^"((?:[^"\\]|\\.)*)"$/.exec(text)?.[1]
  if (single === undefined && double === undefined && /^["']/.test(text))
    throw new CannotStart(
      `${name}: the value begins with a quote, so it has to end with the same one, on the same line.`,
    )
  return single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? text.replace(/\\(.)/g, '$1')
}

/** Parses an `EnvironmentFile` like systemd, which differs from a shell. */
export const parseEnvironmentFile = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .replace(/\\\n/g, '')
      .split('\n')
      .map((line) => line.trim())
      .flatMap((line) => {
        const at = line.indexOf('=')
        const name = line.slice(0, Math.max(at, 0)).trim()
        return /^[A-Za-z_]\w*$/.test(name) ? [[name, unquoted(line.slice(at + 1).trim(), name)]] : []
      }),
  )

function ifThere<R>(path: string, read: (path: string) => R): R | undefined {
  try {
    return read(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new CannotStart(`${path} cannot be read (${code})${code === 'EACCES' ? ': run this as root' : ''}.`)
  }
}

const textOf = (path: string) => ifThere(path, (file) => readFileSync(file, 'utf8'))

function readEnvironmentFile(named: string): Record<string, string> {
  const path = named.replace(/^-/, '')
  if (/[*?[]/.test(path))
    throw new CannotStart(`EnvironmentFile=${named}: a pattern is not understood; name each file.`)
  const text = textOf(path)
  if (text === undefined && path === named) throw new CannotStart(`There is no file ${path}, which the unit names.`)
  return parseEnvironmentFile(text ?? '')
}

const word = /(?:"((?:[^"\\]|\\["\\$`])*)"|'([^'\\]*)'|([^\s"'\\]+))(?=\s|$)/g

function assignmentsOf(line: string): [string, string][] {
  const words = [...line.matchAll(word)].map(
    ([, double, single, plain = '']) => double?.replace(/\\(.)/g, '$1') ?? single ?? plain,
  )
  if (line.replace(word, '').trim() || !words.every((one) => /^[A-Za-z_]\w*=/.test(one)))
    throw new CannotStart('Environment= in the unit is not understood: put quotes around each whole NAME=VALUE.')
  return words.map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)])
}

export function readUnit(text: string): Unit {
  const lines = text.split('\n').map((line) => line.trim())
  const valuesOf = (name: string) => {
    const values = lines.flatMap((line) => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1).trim()] : []))
    // An empty value clears the values before it.
    return values.slice(values.lastIndexOf('') + 1)
  }
  for (const name of ['PassEnvironment', 'UnsetEnvironment'])
    if (valuesOf(name).length > 0) throw new CannotStart(`${name}= in the unit is not understood; take it out.`)
  return {
    user: valuesOf('User').at(-1),
    environment: Object.assign(
      Object.fromEntries(valuesOf('Environment').flatMap(assignmentsOf)),
      ...valuesOf('EnvironmentFile').map(readEnvironmentFile),
    ),
  }
}

const properties = ['LoadState', 'User', 'Environment', 'EnvironmentFiles', 'PassEnvironment', 'UnsetEnvironment']

function askSystemd(name: string): string | undefined {
  try {
    const args = ['show', name, ...properties.flatMap((one) => ['-p', one])]
    const told = execFileSync('systemctl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    if (!/^LoadState=loaded$/m.test(told)) return undefined
    return told.replace(
      /^EnvironmentFiles=(.*) \(ignore_errors=(yes|no)\)$/gm,
      (_, path, ignored) => `EnvironmentFile=${ignored === 'yes' ? '-' : ''}${path}`,
    )
  } catch {
    return undefined
  }
}

/**
 * Reads a unit and its drop-ins from disk; undefined if there is none. If files have the same name, the first folder
 * wins.
 */
function readFiles(name: string, folders: readonly string[]): string | undefined {
  const [unit] = folders.flatMap((folder) => textOf(join(folder, name)) ?? [])
  if (unit === undefined) return undefined
  const found = folders
    .map((folder) => join(folder, `${name}.d`))
    .flatMap((folder) => (ifThere(folder, (there) => readdirSync(there)) ?? []).map((file) => join(folder, file)))
    .filter((path) => path.endsWith('.conf'))
  const dropIns = new Map(found.toReversed().map((path) => [basename(path), path] as const))
  const texts = [...dropIns].sort().map(([, path]) => textOf(path))
  const text = [unit, ...texts].join('\n').replace(/\\\n/g, ' ')
  const [, setting] = /^\s*(User|Environment|EnvironmentFile)=.*%/m.exec(text) ?? []
  if (setting)
    throw new CannotStart(`${setting}= in the unit has a %, which only systemd understands, and it does not run.`)
  return text
}

const places = ['/etc', '/run', '/usr/local/lib', '/usr/lib', '/lib'].map((folder) => `${folder}/systemd/system`)

/**
 * Returns the unit named by DUET_UNIT (a path or a systemd name), or this machine's duet.service; undefined if Duet
 * doesn't run under systemd.
 */
export function findUnit(): Unit | undefined {
  const { DUET_UNIT: named } = process.env
  const name = named || 'duet.service'
  const text = name.includes('/')
    ? readFiles(basename(name), [dirname(name)])
    : (askSystemd(name) ?? readFiles(name, places))
  if (text !== undefined) return readUnit(text)
  if (named) throw new CannotStart(`There is no unit ${named}.`)
  return undefined
}

const isRead = (name: string) => isSetting(name) || /^(AWS_|OTEL_|PG[A-Z])/.test(name)

/**
 * A backup or restore may use a different passphrase than the unit's: to test one kept on paper, or to restore another
 * server's backup.
 */
const keepsPassphrase = (command: string, { BACKUP_PASSPHRASE }: Unit['environment']) =>
  command === 'restore' || (command === 'backup' && !BACKUP_PASSPHRASE)

/**
 * Replaces this process's Duet variables with the unit's and, if root, switches to the unit's user. Throws
 * `CannotStart` for a variable that has a different value here.
 */
export function becomeUnit({ user, environment }: Unit, command: string): void {
  const given = Object.keys(process.env).filter(
    (name) => isRead(name) && !(name === 'BACKUP_PASSPHRASE' && keepsPassphrase(command, environment)),
  )
  const differing = given.filter(
    (name) => process.env[name] && environment[name] && process.env[name] !== environment[name],
  )
  if (differing.length > 0)
    throw new CannotStart(`${differing.join(', ')}: set here to another value than in the unit; unset it here.`)
  for (const name of given) delete process.env[name]
  const { BACKUP_PASSPHRASE } = process.env
  Object.assign(process.env, environment, BACKUP_PASSPHRASE && { BACKUP_PASSPHRASE })
  if (!user || process.getuid?.() !== 0) return
  // `id` prints the user's primary group first.
  const groups = execFileSync('id', ['-G', user], { encoding: 'utf8' }).trim().split(' ').map(Number)
  process.setgroups?.(groups)
  process.setgid?.(groups[0] as number)
  process.setuid?.(user)
}
