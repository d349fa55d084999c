import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { postgresProcessesOf } from '../../server/src/platform/process/processes.ts'
import { freePort } from '../../tools/ports.ts'
import { type Line, startProxy } from '../faults/proxy.ts'
import { postgresPrograms, type Running, runProgram, startProgram, user } from './program.ts'

export const deploy = join(dirname(fileURLToPath(import.meta.url)), '../../deploy/ha')
export const password = 'of a cluster that lives for a few minutes'

/** A database machine: PostgreSQL, its Patroni, and its connections to the other machines. */
export interface Machine {
  name: string
  /** PostgreSQL's own port, not behind a proxy. */
  port: number
  isUp(): boolean
  start(): void
  /** Kills every process of the machine, as a power failure does. */
  kill(): Promise<void>
  crash(): void
  /** Freezes every process of the machine, or lets it continue. */
  freeze(): void
  thaw(): void
  /** Cuts the machine off from all others and from clients, in both directions. */
  part(): void
  /** Cuts the machine off from the other database machines, but not from clients. */
  deafen(): void
  join(): void
  /** Runs a database program on the machine, however long it takes, and returns its output. */
  run(program: string, args: readonly string[], input?: string): Promise<string>
  /** The data directory, and Patroni's configuration file. */
  files: { data: string; patroni: string }
}

/** Reads a file of deploy/ha and fills in the placeholders, which are in capitals. */
function fill(file: string, words: Record<string, string>): string {
  const lines = readFileSync(join(deploy, file), 'utf8').split('\n')
  const own = lines.filter((line) => !line.trimStart().startsWith('#'))
  return own.join('\n').replace(/\b[A-Z][A-Z_]+\b/g, (word) => words[word] ?? word)
}

interface Lines {
  registry: Line
  /** The proxies for connections from other machines and clients: to PostgreSQL, and to Patroni. */
  peers: Line
  clients: Line
  rest: Line
}

export interface Place extends Machine {
  lines: Lines
  restPort: number
  isReached(): boolean
  output(): string
}

export async function createMachine(name: string, folder: string, etcdPorts: readonly number[]): Promise<Place> {
  const [postgres, restPort] = [await freePort(), await freePort()]
  let turn = 0
  const to = (port: number) => startProxy(() => ({ host: '127.0.0.1', port }))
  const lines: Lines = {
    registry: await startProxy(() => ({ host: '127.0.0.1', port: etcdPorts[turn++ % etcdPorts.length] as number })),
    ...{ peers: await to(postgres), clients: await to(postgres), rest: await to(restPort) },
  }
  const own = join(folder, name)
  const dataDir = join(own, 'data')
  mkdirSync(own)
  const files = { data: dataDir, patroni: join(own, 'patroni.yml') }
  const place = { DATA_DIR: dataDir, SOCKET_DIR: own }
  const patroniFile = fill('patroni.yml', {
    ...place,
    NAME: name,
    REST_LISTEN: `127.0.0.1:${restPort}`,
    REST_CONNECT: `127.0.0.1:${lines.rest.port}`,
    // Only the machine's own proxy, not the addresses that etcd announces.
    ETCD_HOSTS: `127.0.0.1:${lines.registry.port}\n  use_proxies: true`,
    POSTGRES_LISTEN: `127.0.0.1:${postgres}`,
    POSTGRES_CONNECT: `127.0.0.1:${lines.peers.port}`,
    BIN_DIR: postgresPrograms,
    PGPASS: join(own, 'pgpass'),
    SUPERUSER_PASSWORD: password,
    REPLICATION_PASSWORD: password,
    NETWORK: '127.0.0.1/32',
  })
  writeFileSync(files.patroni, patroniFile)
  const [repository, CIPHER_PASS] = [join(folder, 'repository'), 'of a repository that lives as long']
  const folders = { REPOSITORY: repository, LOG_DIR: join(own, 'log'), LOCK_DIR: join(own, 'lock') }
  for (const path of Object.values(folders)) {
    mkdirSync(path, { recursive: true })
    if (user.uid !== undefined) chownSync(path, user.uid, user.gid as number)
  }
  writeFileSync(
    join(own, 'pgbackrest.conf'),
    fill('pgbackrest.conf', { ...place, ...folders, PORT: String(postgres), CIPHER_PASS }),
  )
  if (user.uid !== undefined) chownSync(own, user.uid, user.gid as number)

  let patroni: Running | undefined
  let parted = false
  const isUp = () => patroni !== undefined && patroni.child.exitCode === null && patroni.child.signalCode === null
  const signalPostgres = (signal: NodeJS.Signals) => {
    for (let round = 0; round < 2; round++)
      for (const pid of postgresProcessesOf(dataDir)) {
        try {
          process.kill(pid, signal)
        } catch {
          // The process has ended in the meantime.
        }
      }
  }
  const vanish = (which: Line[]) => {
    for (const line of which) line.weather({ up: 'vanish', down: 'vanish' })
  }
  return {
    name,
    port: postgres,
    files,
    run: (program, args, input) => runProgram(program, args, own, input),
    lines,
    restPort,
    isUp,
    isReached: () => isUp() && !parted,
    output: () => `${name}: ${patroni?.output() ?? ''}`,
    start() {
      if (!isUp()) patroni = startProgram('patroni', [files.patroni], own)
    },
    async kill() {
      patroni?.signalAll('SIGSTOP')
      signalPostgres('SIGKILL')
      patroni?.signalAll('SIGKILL')
      await patroni?.end('SIGKILL')
      // Also kill the processes that Patroni was starting when it was killed.
      while (postgresProcessesOf(dataDir).length > 0) {
        signalPostgres('SIGKILL')
        await sleep(10)
      }
    },
    crash: () => signalPostgres('SIGKILL'),
    freeze() {
      parted = true
      patroni?.signal('SIGSTOP')
      signalPostgres('SIGSTOP')
    },
    thaw() {
      parted = false
      signalPostgres('SIGCONT')
      patroni?.signal('SIGCONT')
    },
    part() {
      parted = true
      vanish(Object.values(lines))
    },
    deafen: () => vanish([lines.peers]),
    join() {
      parted = false
      for (const line of Object.values(lines)) line.clear()
    },
  }
}
