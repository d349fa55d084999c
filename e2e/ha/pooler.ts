import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { login } from '../../server/src/test/pgbouncer.ts'
import { freePort } from '../../tools/ports.ts'
import { deploy, password } from './machine.ts'
import { type Running, startProgram, user } from './program.ts'

export interface Login {
  host: string
  port: number
  user: string
  password: string
}

/**
 * Starts PgBouncer with the operators' configuration, in front of HAProxy. It uses session pooling because the version
 * in Debian 12 doesn't otherwise support prepared statements.
 */
export async function startPooler(cluster: string, balancer: number): Promise<{ login: Login; running: Running }> {
  const port = await freePort()
  const folder = join(cluster, 'pgbouncer')
  mkdirSync(folder)
  const users = join(folder, 'userlist.txt')
  const file = join(folder, 'pgbouncer.ini')
  const given = readFileSync(join(deploy, '../pgbouncer.ini'), 'utf8')
  const settings = given
    .replace('port=5432', `port=${balancer}`)
    .replace(/^listen_port = .*$/m, `listen_port = ${port}`)
    .replace(/^auth_file = .*$/m, `auth_file = ${users}`)
    .replace(/^pool_mode = .*$/m, 'pool_mode = session')
    .replace(/^max_prepared_statements = .*\n/m, '')
  writeFileSync(users, `"${login}" "${password}"\n`)
  writeFileSync(file, `${settings}unix_socket_dir =\n`)
  for (const path of [folder, users, file]) if (user.uid !== undefined) chownSync(path, user.uid, user.gid as number)
  return {
    login: { host: '127.0.0.1', port, user: login, password },
    running: startProgram('pgbouncer', [file], folder),
  }
}
