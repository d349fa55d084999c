// npm run test:ha: makes machines of a three-machine database fail, and counts lost acknowledged writes. --rounds N
// repeats each fault, --seed N repeats a run, --pooled connects through PgBouncer.
import { existsSync } from 'node:fs'
import { ensureInstalled, fail } from './bootstrap.mjs'
import { ensureBuilt } from './build.mjs'
import { run } from './process.mjs'

const packages = {
  patroni: 'patroni',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  'redis-server': 'redis-server',
  pgbackrest: 'pgbackrest',
  pgbouncer: 'pgbouncer',
}
const isThere = (program) =>
  [...process.env.PATH.split(':'), '/usr/sbin'].some((folder) => existsSync(`${folder}/${program}`))

export function missingPackages() {
  const missing = Object.keys(packages).filter((program) => !isThere(program))
  const postgres = existsSync('/usr/lib/postgresql/15/bin/postgres') ? [] : ['postgresql-15']
  return [...missing.map((program) => packages[program]), ...postgres]
}

export async function runHa(args = [], start = run) {
  if (missingPackages().length > 0) return undefined
  await ensureBuilt(['server'])
  return start(['--import', 'tsx', 'e2e/ha/main.ts', ...args])
}

if (process.argv[1]?.endsWith('ha.mjs')) {
  ensureInstalled()
  const code = await runHa(process.argv.slice(2)).catch((error) => fail(error.message))
  process.exit(
    code ?? fail(`The suite needs ${missingPackages().join(', ')}: apt-get install ${missingPackages().join(' ')}`),
  )
}
