// Tracks which processes run from which build, so that no files they use are removed or reinstalled.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const notes = join(root, 'server/.cache/running')

function commandOf(pid) {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

export function noteRunning(child, folder) {
  if (!child.pid) return
  mkdirSync(notes, { recursive: true })
  const note = join(notes, String(child.pid))
  const web = join(root, 'web/dist')
  writeFileSync(note, JSON.stringify([folder, ...(existsSync(web) ? [realpathSync(web)] : [])]))
  child.once('exit', () => rmSync(note, { force: true }))
}

export function findRunning() {
  mkdirSync(notes, { recursive: true })
  return readdirSync(notes).flatMap((name) => {
    // After a process was killed, another one may have the same id.
    if (commandOf(name).includes(join('server', 'dist')))
      return [{ pid: Number(name), folders: JSON.parse(readFileSync(join(notes, name), 'utf8')) }]
    rmSync(join(notes, name), { force: true })
    return []
  })
}
