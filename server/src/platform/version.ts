import { readFileSync } from 'node:fs'
import server from '../../package.json' with { type: 'json' }

export const version: string = server.version

function commit(): string {
  try {
    return `+${readFileSync(new URL('commit', import.meta.url), 'utf8').trim()}`
  } catch {
    return ''
  }
}

export const build = version + commit()
