import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { by } from '@duet/contract/order.ts'
import { processIdentity, processPlace } from './processes.ts'

/** Variables by their names. */
type Settings = Readonly<Record<string, string>>

interface Note {
  pid: number
  identity: string | undefined
  place: string
  salt: string
  /** A short hash of each value: enough to see that two differ, too little to find a password by. */
  settings: Settings
}

const hashed = (settings: Settings, salt: string): Settings =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      createHash('sha256').update(`${salt} ${name} ${value}`).digest().subarray(0, 3).toString('hex'),
    ]),
  )

/** A note; undefined for one that this user cannot read, or that another process is writing. */
function read(file: string): Note | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Note
  } catch {
    return undefined
  }
}

/** The files of the notes in a folder: nodes may share it. */
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

/** Notes in `dataDir` with which settings this process runs, for `doctor`. Returns how to take the note away. */
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
    // A Duet that keeps everything elsewhere needs no DATA_DIR that it can write.
  }
  return () => {
    // Another container may have a process of this id.
    if (read(file)?.salt === salt) rmSync(file, { force: true })
  }
}

interface Running {
  /** The one whose variables are most like `settings`, with the names of those that are not; undefined if none is seen. */
  closest: { pid: number; differing: string[] } | undefined
  /** Whether there may be another, in another container, on another machine, or of a user whose note cannot be read. */
  isAnyHidden: boolean
}

/** The running processes that use `dataDir`, and how their settings differ from `settings`. */
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
