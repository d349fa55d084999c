import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { by } from '@duet/contract/order.ts'
import { processIdentity, processPlace } from './processes.ts'

type Settings = Readonly<Record<string, string>>

interface Note {
  pid: number
  identity: string | undefined
  place: string
  salt: string
  /** Three bytes of hash per value: enough to see whether two values differ, too little to guess a password. */
  settings: Settings
}

const hashed = (settings: Settings, salt: string): Settings =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      createHash('sha256').update(`${salt} ${name} ${value}`).digest().subarray(0, 3).toString('hex'),
    ]),
  )

function read(file: string): Note | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Note
  } catch {
    return undefined
  }
}

/** Several nodes may share a folder. */
function filesIn(dataDir: string): string[] {
  try {
    return readdirSync(dataDir)
      .filter((name) => /^running-\d+\.json$/.test(name))
      .map((name) => join(dataDir, name))
  } catch {
    return []
  }
}

const isHere = ({ place }: Note) => place === processPlace()
const lives = ({ pid, identity }: Note) => processIdentity(pid) === identity

export function noteRunning(dataDir: string, settings: Settings): () => void {
  const { pid } = process
  const salt = randomBytes(16).toString('hex')
  const note: Note = {
    pid,
    identity: processIdentity(pid),
    place: processPlace(),
    salt,
    settings: hashed(settings, salt),
  }
  const file = join(dataDir, `running-${pid}.json`)
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o711 })
    for (const other of filesIn(dataDir)) {
      const left = read(other)
      if (left && isHere(left) && !lives(left)) rmSync(other, { force: true })
    }
    writeFileSync(file, JSON.stringify(note), { mode: 0o600 })
  } catch {
    // DATA_DIR doesn't have to be writable if all data is stored elsewhere.
  }
  return () => {
    // A process in another container may have the same id, so compare the salt.
    if (read(file)?.salt === salt) rmSync(file, { force: true })
  }
}

interface Running {
  closest: { pid: number; differing: string[] } | undefined
  /**
   * Whether other processes may be invisible: in another container, on another machine, or run by a user whose file we
   * can't read.
   */
  isAnyHidden: boolean
}

export function compareWithRunning(dataDir: string, settings: Settings): Running {
  const notes = filesIn(dataDir).map(read)
  const seen = notes.flatMap((note) => {
    if (!note || !isHere(note) || !lives(note)) return []
    const ours = hashed(settings, note.salt)
    const names = [...new Set([...Object.keys(note.settings), ...Object.keys(ours)])]
    return [{ pid: note.pid, differing: names.filter((name) => note.settings[name] !== ours[name]).sort() }]
  })
  return {
    closest: seen.sort(by(({ differing }) => differing.length))[0],
    isAnyHidden: notes.some((note) => !note || !isHere(note)),
  }
}
