import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { unless, until } from '../faults/stage.ts'
import { type Cluster, patienceMs } from './cluster.ts'
import type { Machine } from './machine.ts'

export interface Struck {
  /** Whether another machine must become the primary. `from` is the previous primary. */
  changesPrimary: boolean
  from: string
  mend(): Promise<void>
  broken?: string[]
}

type IsWritten = (since: number) => boolean

export interface Fault {
  id: string
  title: string
  strike(cluster: Cluster, isWritten: IsWritten): Promise<Struck>
}

async function must(found: Promise<Machine | undefined>, what: string): Promise<Machine> {
  const machine = await found
  if (!machine) throw new Error(`there is no ${what}`)
  return machine
}
const primaryOf = (cluster: Cluster) => must(cluster.leader(), 'primary')

/** How long clients can still reach a primary that is cut off from the standbys. */
const deafMs = 1_500

const aloneMs = 5_000

/** How long devices have to resend unacknowledged messages. */
const tryAgainMs = 5_000
/** How long the replicas lag behind while people load lists from them. */
const lagMs = 12_000

/**
 * After this long without a primary, another machine has taken over if it is allowed to. A bit longer than `ttl` in
 * patroni.yml.
 */
const missedMs = 25_000

/**
 * The connections between the machines fail, and then the primary does. Anything that it acknowledged in between would
 * be lost.
 */
export const loseWhileDeaf: Fault = {
  id: 'deaf',
  title: 'the standbys hear nothing from the primary, and then it fails',
  async strike(cluster) {
    const primary = await primaryOf(cluster)
    primary.deafen()
    await sleep(deafMs)
    await primary.kill()
    const mend = async () => {
      primary.join()
      primary.start()
    }
    return { changesPrimary: true, from: primary.name, mend }
  },
}

/**
 * When PostgreSQL restarts, transactions that were waiting for a standby look as if the standby had confirmed them. A
 * device that resends such a message must not get an acknowledgement. If the machine then fails, no other machine may
 * take over, and the cluster waits for it.
 */
const comeBackDeaf: Fault = {
  id: 'echo',
  title:
    'the standbys hear nothing, PostgreSQL ends and comes back, people try again, the machine fails and comes back',
  async strike(cluster, isWritten) {
    const primary = await primaryOf(cluster)
    primary.deafen()
    await sleep(deafMs)
    primary.crash()
    const ended = await until(async () => (await cluster.leader()) === undefined, patienceMs)
    const back = await until(async () => (await cluster.leader())?.name === primary.name, patienceMs)
    const since = performance.now()
    await sleep(tryAgainMs)
    const broken = [
      ...unless(ended && back, 'PostgreSQL did not end and come back'),
      ...unless(!isWritten(since), 'something was acknowledged that no standby has'),
    ]
    await primary.kill()
    await sleep(missedMs)
    broken.push(...unless((await cluster.leader()) === undefined, 'another machine took over'))
    primary.join()
    primary.start()
    return { changesPrimary: false, from: primary.name, mend: async () => {}, broken }
  },
}

/** Runs a statement on a machine as PostgreSQL's superuser. Returns its output. */
const sqlOn = (machine: Machine, statement: string) =>
  machine.run('psql', [
    '-h',
    dirname(machine.files.data),
    '-p',
    String(machine.port),
    '-U',
    'postgres',
    '-Atc',
    statement,
  ])

/** The replicas stop applying changes. People who have left since then must not appear in lists. */
const lagBehind: Fault = {
  id: 'lag',
  title: 'the standbys, which searches read, fall behind',
  async strike(cluster) {
    const primary = await primaryOf(cluster)
    const standbys = cluster.machines.filter(({ name }) => name !== primary.name)
    for (const standby of standbys) await sqlOn(standby, 'select pg_wal_replay_pause()')
    await sleep(lagMs)
    const asked = `select count(*) from pg_stat_activity where application_name like 'Duet%' and datname = 'duet'`
    const counts = await Promise.all(standbys.map((standby) => sqlOn(standby, asked)))
    const broken = unless(
      counts.some((count) => Number(count) > 0),
      'no standby was asked',
    )
    const mend = async () => {
      for (const standby of standbys) await sqlOn(standby, 'select pg_wal_replay_resume()')
    }
    return { changesPrimary: false, from: primary.name, mend, broken }
  },
}

export const faults: Fault[] = [
  {
    id: 'kill',
    title: 'the primary’s machine fails',
    async strike(cluster) {
      const primary = await primaryOf(cluster)
      await primary.kill()
      return { changesPrimary: true, from: primary.name, mend: async () => primary.start() }
    },
  },
  {
    id: 'part',
    title: 'the primary is cut off from everything, and lives',
    async strike(cluster) {
      const primary = await primaryOf(cluster)
      primary.part()
      return { changesPrimary: true, from: primary.name, mend: async () => primary.join() }
    },
  },
  {
    id: 'freeze',
    title: 'the primary’s machine stands still, and goes on later',
    async strike(cluster) {
      const primary = await primaryOf(cluster)
      primary.freeze()
      return { changesPrimary: true, from: primary.name, mend: async () => primary.thaw() }
    },
  },
  {
    id: 'crash',
    title: 'the primary’s PostgreSQL ends',
    async strike(cluster) {
      const primary = await primaryOf(cluster)
      primary.crash()
      return { changesPrimary: false, from: primary.name, mend: async () => {} }
    },
  },
  {
    id: 'switch',
    title: 'the primary is switched over',
    async strike(cluster) {
      const primary = await primaryOf(cluster)
      await cluster.switchOver()
      return { changesPrimary: true, from: primary.name, mend: async () => {} }
    },
  },
  {
    id: 'standby',
    title: 'the standby that confirms fails',
    async strike(cluster) {
      const primary = await primaryOf(cluster)
      const standby = await must(cluster.confirming(), 'standby that confirms')
      await standby.kill()
      return { changesPrimary: false, from: primary.name, mend: async () => standby.start() }
    },
  },
  {
    id: 'alone',
    title: 'both standbys fail, and one comes back',
    async strike(cluster, isWritten) {
      const primary = await primaryOf(cluster)
      const standbys = cluster.machines.filter(({ name }) => name !== primary.name)
      for (const standby of standbys) await standby.kill()
      const since = performance.now()
      await sleep(aloneMs)
      const broken = unless(!isWritten(since), 'something was acknowledged that no standby has')
      const [first, second] = standbys
      first?.start()
      return { changesPrimary: false, from: primary.name, mend: async () => second?.start(), broken }
    },
  },
  {
    id: 'registry',
    title: 'one of the three etcd ends',
    async strike(cluster) {
      const primary = await primaryOf(cluster)
      const start = await cluster.loseRegistry()
      return { changesPrimary: false, from: primary.name, mend: async () => start() }
    },
  },
  loseWhileDeaf,
  comeBackDeaf,
  lagBehind,
]
