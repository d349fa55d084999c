import { chownSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { login } from '../../server/src/test/pgbouncer.ts'
import { freePort } from '../../tools/ports.ts'
import type { DatabaseAddress } from '../faults/nodes.ts'
import { beginArchive, copyWhole, fillArchive, restoreTo } from './archive.ts'
import { createMachine, deploy, type Machine, type Place, password } from './machine.ts'
import { startPooler } from './pooler.ts'
import { type Running, startProgram, user } from './program.ts'

const names = ['one', 'two', 'three']
/** How long to wait for the cluster. Even on a slow machine, reaching it means that something hangs. */
export const patienceMs = 180_000

export interface State {
  name: string
  role: string
  state: string
  timeline?: number
}

/**
 * Three machines with PostgreSQL and Patroni, three etcd nodes and HAProxy. They all run on this computer, over
 * connections that can be broken.
 */
export interface Cluster {
  address: DatabaseAddress
  folder: string
  machines: Machine[]
  /** The states reported by any reachable machine. Empty if none is reachable. */
  states(): Promise<State[]>
  leader(): Promise<Machine | undefined>
  figures(): Promise<string>
  confirming(): Promise<Machine | undefined>
  /** Makes another machine the primary, as an operator does before maintenance. */
  switchOver(): Promise<void>
  /** Stops one of the three etcd nodes. Returns a function that restarts it. */
  loseRegistry(): Promise<() => void>
  /** Sets whether a commit waits for a second machine. */
  setSynchronous(is: boolean): Promise<void>
  /** Makes a full backup and archives all later changes in the same repository. */
  backUp(): Promise<void>
  fillArchive(): Promise<void>
  goBackTo(moment: Date): Promise<void>
  /** Waits until all machines run and share one timeline. Throws with their logs if that takes too long. */
  whole(): Promise<void>
  output(): string
  stop(): Promise<void>
}

async function startEtcd(folder: string): Promise<{ port: number; start(): Running }[]> {
  const members = await Promise.all(
    names.map(async (name) => ({ name: `etcd-${name}`, client: await freePort(), peer: await freePort() })),
  )
  const at = (port: number) => `http://127.0.0.1:${port}`
  return members.map(({ name, client, peer }) => ({
    port: client,
    start: () =>
      startProgram(
        'etcd',
        [
          ...['--name', name, '--data-dir', join(folder, name), '--log-level', 'error', '--enable-v2'],
          ...['--listen-client-urls', at(client), '--advertise-client-urls', at(client)],
          ...['--listen-peer-urls', at(peer), '--initial-advertise-peer-urls', at(peer)],
          ...['--initial-cluster', members.map((one) => `${one.name}=${at(one.peer)}`).join(',')],
          // Generous timeouts, because three etcd nodes and three databases share one disk here.
          ...['--heartbeat-interval', '200', '--election-timeout', '2000', '--unsafe-no-fsync'],
        ],
        folder,
      ),
  }))
}

/** Opens two ports: one leads to the primary, the other to the standbys. */
async function startBalancer(folder: string, machines: readonly Place[]) {
  const ports = [await freePort(), await freePort()] as const
  const left: number[] = [...ports]
  const servers = machines.map(
    ({ name, lines }) => `  server ${name} 127.0.0.1:${lines.clients.port} check port ${lines.rest.port}`,
  )
  const config = readFileSync(join(deploy, 'haproxy.cfg'), 'utf8')
    .replace(/ {2}# bind\n.*\n/g, () => `  bind 127.0.0.1:${left.shift()}\n`)
    .replace(/ {2}# machines\n(?: {2}server .*\n?)+/g, () => `${servers.join('\n')}\n`)
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, config)
  const [port, replicas] = ports
  return { port, replicas, running: startProgram('haproxy', ['-db', '-f', file], folder) }
}

async function untilTrue(holds: () => Promise<boolean>, otherwise: () => Promise<string>): Promise<void> {
  const until = performance.now() + patienceMs
  while (!(await holds())) {
    if (performance.now() > until) throw new Error(await otherwise())
    await sleep(200)
  }
}

const getJson = async <T>(url: string, init: RequestInit = {}): Promise<T> => {
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(2_000) })
  return (await answer.json()) as T
}

/** Whether HAProxy knows the primary. Before its first health checks, it treats every machine as a primary. */
async function isLed(address: pg.ClientConfig): Promise<boolean> {
  for (const _ of names) {
    const client = new pg.Client({ ...address, user: 'postgres', database: 'postgres' })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query<{ behind: boolean }>('select pg_is_in_recovery() as behind')
      if (rows[0]?.behind !== false) return false
    } finally {
      await client.end()
    }
  }
  return true
}

async function prepare(address: pg.ClientConfig): Promise<void> {
  const superuser = new pg.Client({ ...address, user: 'postgres', database: 'postgres' })
  superuser.on('error', () => {})
  try {
    await superuser.connect()
    await superuser.query(`create role duet login createrole password '${password}'`)
    await superuser.query(`create role ${login} login password '${password}'`)
    await superuser.query('create database duet owner duet')
  } finally {
    await superuser.end()
  }
}

export async function startCluster({ pooled = false } = {}): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'duet-ha-'))
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid as number)
  const etcd = await startEtcd(folder)
  const machines: Place[] = []
  const programs = etcd.map(({ start }) => start())
  const output = () => [...programs, ...machines].map((one) => one.output().slice(-3_000)).join('\n')

  async function states(): Promise<State[]> {
    for (const { restPort, isReached } of machines) {
      if (!isReached()) continue
      const found = await getJson<{ members: State[] }>(`http://127.0.0.1:${restPort}/cluster`).catch(() => undefined)
      if (found) return found.members
    }
    return []
  }
  const machineOf = async (fits: (state: State) => boolean) => {
    const found = (await states()).find(fits)
    return machines.find(({ name, isReached }) => name === found?.name && isReached())
  }
  const leader = async () => {
    const found = await machineOf(({ role, state }) => role === 'leader' && state === 'running')
    if (!found) return undefined
    const { status } = await fetch(`http://127.0.0.1:${found.restPort}/primary`, {
      signal: AbortSignal.timeout(2_000),
    }).catch(() => ({ status: 0 }))
    return status === 200 ? found : undefined
  }
  let isSynchronous = true
  let copied: Place | undefined
  const confirming = () => machineOf(({ role }) => role === 'sync_standby')

  /** Asks each machine directly, because the cluster reports a failed machine as healthy until its lease expires. */
  async function isWhole(): Promise<boolean> {
    const told = await Promise.all(
      machines.map(({ restPort }) =>
        getJson<State>(`http://127.0.0.1:${restPort}/patroni`).catch(() => ({ state: 'silent', timeline: undefined })),
      ),
    )
    const timelines = new Set(told.map(({ timeline }) => timeline))
    if (told.some(({ state }) => state !== 'running') || timelines.size !== 1 || !(await leader())) return false
    return !isSynchronous || (await confirming()) !== undefined
  }
  const whole = () =>
    untilTrue(isWhole, async () => `the cluster is not whole: ${JSON.stringify(await states())}\n${output()}`)
  const patroni = async (path: string, method: string, body: object) => {
    const one = (await leader()) as Place | undefined
    if (!one) throw new Error('there is no primary to ask')
    const answer = await fetch(`http://127.0.0.1:${one.restPort}${path}`, { method, body: JSON.stringify(body) })
    const words = await answer.text()
    // Patroni waits about twenty seconds for a new primary, and returns this text if the switchover takes longer.
    if (!answer.ok && words !== 'Switchover status unknown')
      throw new Error(`${method} ${path}: ${answer.status} ${words}`)
  }

  async function stop(): Promise<void> {
    for (const machine of machines) {
      machine.thaw()
      await machine.kill()
      for (const line of Object.values(machine.lines)) line.close()
    }
    for (const program of programs) await program.end('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }

  try {
    for (const name of names)
      machines.push(
        await createMachine(
          name,
          folder,
          etcd.map(({ port }) => port),
        ),
      )
    for (const machine of machines) machine.start()
    await whole()
    await beginArchive((await leader()) as Machine)
    const balancer = await startBalancer(folder, machines)
    programs.push(balancer.running)
    const way = { host: '127.0.0.1', port: balancer.port }
    const asked = { ...way, password }
    await untilTrue(
      () => isLed(asked).catch(() => false),
      async () => output(),
    )
    await prepare(asked)
    const pooler = pooled ? await startPooler(folder, balancer.port) : undefined
    if (pooler) programs.push(pooler.running)
    return {
      address: {
        owner: { ...way, user: 'duet', password, database: 'duet' },
        way,
        login: pooler?.login,
        replicas: balancer.replicas,
      },
      folder,
      machines,
      states,
      leader,
      confirming,
      whole,
      output,
      stop,
      async switchOver() {
        await whole()
        const now = await leader()
        const candidate = isSynchronous ? await confirming() : machines.find(({ name }) => name !== now?.name)
        if (!now || !candidate) throw new Error('there are no two machines to switch between')
        await patroni('/switchover', 'POST', { leader: now.name, candidate: candidate.name })
      },
      async figures() {
        const asked = machines.map(({ restPort }) => fetch(`http://127.0.0.1:${restPort}/metrics`))
        const answers = await Promise.all(asked)
        return (await Promise.all(answers.map((answer) => answer.text()))).join('\n')
      },
      async backUp() {
        copied = (await leader()) as Place
        await copyWhole(copied)
      },
      async fillArchive() {
        await fillArchive((await leader()) as Machine)
      },
      async goBackTo(moment) {
        for (const machine of machines) await machine.kill()
        // The backup includes PostgreSQL's configuration. On this computer, unlike on real machines, its paths differ
        // between machines.
        const [first, others] = [copied as Place, machines.filter((machine) => machine !== copied)]
        await restoreTo(moment, [first, ...others], patienceMs)
        // Start this machine alone: an empty machine that finds no primary would create a new database.
        first.start()
        await untilTrue(
          async () => (await leader()) === first,
          async () => output(),
        )
        for (const machine of others) machine.start()
        await whole()
      },
      async loseRegistry() {
        await (programs[0] as Running).end('SIGKILL')
        return () => {
          programs[0] = (etcd[0] as (typeof etcd)[number]).start()
        }
      },
      async setSynchronous(is) {
        isSynchronous = is
        await patroni('/config', 'PATCH', { synchronous_mode: is, synchronous_mode_strict: is })
        await sleep(5_000)
        await whole()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}
