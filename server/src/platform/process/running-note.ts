import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { processIdentity, processPlace } from '../database/processes.ts'

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

const fileIn = (dataDir: string) => join(dataDir, 'running.json')

const hashed = (settings: Settings, salt: string): Settings =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      createHash('sha256').update(`${salt} ${name} ${value}`).digest().subarray(0, 3).toString('hex'),
    ]),
  )

function read(dataDir: string): Note | undefined {
  try {
    return JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as Note
  } catch {
    return undefined
  }
}

/** Notes in `dataDir` with which settings this process runs, for `doctor`. Returns how to take the note away. */
export function noteRunning(dataDir: string, settings: Settings): () => void {
  const { pid } = process
  const salt = randomBytes(16).toString('hex')
  const note: Note = {
    ...{ pid, identity: processIdentity(pid), place: processPlace() },
    ...{ salt, settings: hashed(settings, salt) },
  }
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o711 })
    writeFileSync(fileIn(dataDir), JSON.stringify(note), { mode: 0o600 })
  } catch {
    // A Duet that keeps everything elsewhere needs no DATA_DIR that it can write.
  }
  return () => {
    if (read(dataDir)?.pid === pid) rmSync(fileIn(dataDir), { force: true })
  }
}

/** The Duet that runs on `dataDir`, and the names of variables that are not as in `settings`; undefined if none is seen. */
export function compareWithRunning(
  dataDir: string,
  settings: Settings,
): { pid: number; differing: string[] } | undefined {
  const note = read(dataDir)
  if (!note || note.place !== processPlace() || processIdentity(note.pid) !== note.identity) return undefined
  const ours = hashed(settings, note.salt)
  const names = [...new Set([...Object.keys(note.settings), ...Object.keys(ours)])]
  return { pid: note.pid, differing: names.filter((name) => note.settings[name] !== ours[name]).sort() }
}
