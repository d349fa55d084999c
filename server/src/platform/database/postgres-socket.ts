import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const socketName = '.s.PGSQL.5432'

/** Where clients find the socket of a server: the path of a socket is at most 107 bytes long (103 on macOS), so a longer folder gets a short name. */
export function socketFolder(folder: string): { host: string; forget(): void } {
  if (Buffer.byteLength(join(folder, socketName)) <= 103) return { host: folder, forget: () => {} }
  const short = mkdtempSync(join(tmpdir(), 'duet-'))
  symlinkSync(folder, join(short, 's'))
  return { host: join(short, 's'), forget: () => rmSync(short, { recursive: true, force: true }) }
}

const nobodyListens = new Set(['ECONNREFUSED', 'ENOENT', 'ENOTSOCK'])

/**
 * Whether a server listens on the socket in `folder`. The kernel answers, so this finds servers in other containers of
 * the same machine, and those that hang.
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
