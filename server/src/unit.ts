import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { CannotStart } from './platform/process/data-dir.ts'

/** A unit of systemd: whom it runs as, and in which environment. */
export interface Unit {
  user: string | undefined
  environment: Record<string, string>
}

const unquoted = (text: string): string =>
  /^'(.*)'$/.exec(text)?.[1] ??
  /^"(.*)"$/.exec(text)?.[1]?.replace(/\\(["\\$`])/g, '$1') ??
  text.replace(/\\(.)/g, '$1')

/** What systemd reads in an `EnvironmentFile`, which is not what a shell would. */
export const parseEnvironmentFile = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .replace(/\\\n/g, '')
      .split('\n')
      .map((line) => line.trim())
      .flatMap((line) => {
        const at = line.indexOf('=')
        const name = line.slice(0, Math.max(at, 0)).trim()
        return /^[A-Za-z_]\w*$/.test(name) ? [[name, unquoted(line.slice(at + 1).trim())]] : []
      }),
  )

/** The text of a file; undefined where there is none. Throws `CannotStart` for one that cannot be read. */
function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new CannotStart(`${path} cannot be read (${code})${code === 'EACCES' ? ': run this as root' : ''}.`)
  }
}

function readEnvironmentFile(named: string): Record<string, string> {
  const path = named.replace(/^-/, '')
  const text = readIfThere(path)
  if (text === undefined && path === named) throw new CannotStart(`There is no file ${path}, which the unit names.`)
  return parseEnvironmentFile(text ?? '')
}

/** Reads a unit and the files of settings that it names. Throws `CannotStart` for one that cannot be read. */
export function readUnit(text: string): Unit {
  const lines = text.split('\n').map((line) => line.trim())
  const valuesOf = (name: string) =>
    lines.flatMap((line) => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1).trim()] : []))
  const inUnit = valuesOf('Environment').flatMap((line) =>
    [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain = '']) => double ?? single ?? plain),
  )
  return {
    user: valuesOf('User').at(-1),
    environment: Object.assign(
      Object.fromEntries(inUnit.map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)])),
      ...valuesOf('EnvironmentFile').map(readEnvironmentFile),
    ),
  }
}

const places = ['/etc/systemd/system', '/usr/local/lib/systemd/system', '/usr/lib/systemd/system']

/** The unit that DUET_UNIT names, or that of this machine; undefined where Duet does not run under systemd. */
export function findUnit(): Unit | undefined {
  const named = process.env.DUET_UNIT
  for (const path of named ? [named] : places.map((folder) => `${folder}/duet.service`)) {
    const text = readIfThere(path)
    if (text !== undefined) return readUnit(text)
  }
  if (named) throw new CannotStart(`There is no unit ${named}.`)
  return undefined
}

/** Makes this process what the unit runs: its settings, and, from root, its user. */
export function becomeUnit({ user, environment }: Unit): void {
  Object.assign(process.env, environment)
  if (!user || process.getuid?.() !== 0) return
  const group = Number(execFileSync('id', ['-g', user], { encoding: 'utf8' }))
  process.setgroups?.([group])
  process.setgid?.(group)
  process.setuid?.(user)
}
