// npm run test:release: runs the server's quick tests on Debian's PostgreSQL 15, the oldest version that Duet supports.
import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fail } from './bootstrap.mjs'
import { run } from './process.mjs'

const programs = '/usr/lib/postgresql/15/bin'
const idOf = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))

export async function runOnOldestPostgres(start = run) {
  if (!existsSync(join(programs, 'initdb'))) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'duet-postgres-15-'))
  // PostgreSQL refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid)
  const call = (program, ...args) =>
    execFileSync(join(programs, program), args, { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  const data = join(folder, 'data')
  const settings = `-c listen_addresses= -c unix_socket_directories=${folder} -c max_connections=500 -c fsync=off`
  call('initdb', '-D', data, '-U', 'duet', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8')
  call('pg_ctl', '-D', data, '-l', join(folder, 'log'), '-o', settings, '-w', 'start')
  try {
    const env = { TEST_POSTGRES: `${folder}:duet`, TEST_TIER: 'quick' }
    return await start(['node_modules/vitest/vitest.mjs', 'run', '--project', 'server'], { env })
  } finally {
    call('pg_ctl', '-D', data, '-m', 'immediate', 'stop')
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[1]?.endsWith('oldest-postgres.mjs'))
  process.exit((await runOnOldestPostgres()) ?? fail('It needs postgresql-15.'))
