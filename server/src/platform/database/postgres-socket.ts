import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const socketName = '.s.PGSQL.5432'

/** A socket path may have at most 107 bytes (103 on macOS), so a longer folder gets a short symlink. */
export function socketFolder(folder: string): { host: string; forget(): void } {
  if (Buffer.byteLength(join(folder, socketName)) <= 103) return { host: folder, forget: () => {} }
  const short = mkdtempSync(join(tmpdir(), 'duet-'))
  symlinkSync(folder, join(short, 's'))
  return { host: join(short, 's'), forget: () => rmSync(short, { recursive: true, force: true }) }
}

const nobodyListens = new Set(['ECONNREFUSED', 'ENOENT', 'ENOTSOCK'])

/**
 * Tries to connect to the socket, which also detects hanging servers and servers in other containers on this machine.
 */
export async function socketAnswers(folder: string): Promise<boolean> {
  const { host, forget } = socketFolder(folder)
  const socket = connect(join(host, socketName))
  try {
    return await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true))
      socket.once('error', ({ code = '' }: NodeJS.ErrnoException) => resolve(!nobodyListens.has(code)))
    })
  } finally {
    socket.destroy()
    forget()
  }
}
