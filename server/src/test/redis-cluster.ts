import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import slotOf from 'cluster-key-slot'
import { Redis } from 'ioredis'
import selfsigned from 'selfsigned'
import { freePort } from '../../../tools/ports.ts'
import type { TestRedis } from './redis.ts'

const slotCount = 16_384
const password = 'a p@ssword'
/** What operators take. */
const givenConfig = fileURLToPath(new URL('../../../deploy/ha/redis-cluster.conf', import.meta.url))
/** After how long without an answer a primary is given up, in ms. */
const nodeTimeoutMs = 2_000

/** One machine of a cluster. */
interface Member {
  port: number
  busPort: number
  call(...command: [string, ...(string | number)[]]): Promise<unknown>
  /** Starts it, with what it knows of the cluster. */
  start(): Promise<void>
  kill(): Promise<void>
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
  /** Ends it for good. */
  end(): Promise<void>
}

/** A slot on its way. */
interface Move {
  to: Member
  finish(): Promise<void>
}

export interface TestCluster extends TestRedis {
  members: readonly Member[]
  /** What to trust, where it speaks TLS alone. */
  certificate: string | undefined
  /** Starts its machines alone, which do not know each other yet. */
  startApart(): Promise<void>
  /** Which machine is the primary of a channel or key, as the first one that is not down sees it. */
  ownerOf(channel: string): Promise<Member>
  /** Begins to give the slot of a channel or key to another primary. */
  beginMove(channel: string): Promise<Move>
  /** Does it. */
  move(channel: string): Promise<void>
}

/** A certificate for 127.0.0.1, as files in `folder`. */
async function certify(folder: string): Promise<string> {
  const { private: key, cert } = await selfsigned.generate([{ name: 'commonName', value: '127.0.0.1' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  })
  writeFileSync(join(folder, 'key.pem'), key)
  writeFileSync(join(folder, 'cert.pem'), cert)
  return cert
}

/** Nothing in the clear: neither with clients nor among the machines. */
function encrypted(folder: string, port: number): (string | number)[] {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const files = ['--tls-key-file', key, '--tls-cert-file', cert, '--tls-ca-cert-file', cert]
  const among = ['--tls-cluster', 'yes', '--tls-replication', 'yes', '--tls-auth-clients', 'no']
  return ['--port', 0, '--tls-port', port, ...files, ...among]
}

async function createMember(folder: string, certificate?: string): Promise<Member> {
  const [port, busPort] = [await freePort(), await freePort()]
  const ports = certificate ? encrypted(folder, port) : ['--port', port]
  const place = [...ports, '--cluster-port', busPort, '--bind', '127.0.0.1', '--dir', folder]
  const known = ['--cluster-config-file', `nodes-${port}.conf`, '--cluster-node-timeout', nodeTimeoutMs]
  const options = [givenConfig, ...place, ...known, '--requirepass', password, '--masterauth', password]
  let child: ChildProcess | undefined
  const patient = { lazyConnect: true, maxRetriesPerRequest: null, retryStrategy: () => 50 }
  const client = new Redis({
    ...patient,
    host: '127.0.0.1',
    port,
    password,
    ...(certificate && { tls: { ca: certificate } }),
  })
  client.on('error', () => undefined)
  const endAtOnce = () => child?.kill('SIGKILL')
  process.once('exit', endAtOnce)
  const isRunning = () => child?.exitCode === null && child.signalCode === null
  async function kill(): Promise<void> {
    if (!child || !isRunning()) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  return {
    ...{ port, busPort, kill },
    call: (name, ...rest) => client.call(name, ...rest),
    async start() {
      if (!isRunning()) child = spawn('redis-server', options.map(String), { stdio: 'ignore' })
      await client.ping()
    },
    signal: (name) => void child?.kill(name),
    async end() {
      process.off('exit', endAtOnce)
      client.disconnect()
      await kill()
    },
  }
}

/** Waits until a machine knows all others, and a primary for each slot. */
async function agreed(member: Member, count: number): Promise<void> {
  for (;;) {
    const info = (await member.call('CLUSTER', 'INFO')) as string
    if (info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${count}`)) return
    await sleep(50)
  }
}

/** Waits until a replica has what its primary has: without ever it would never take its place. */
async function inSync(replica: Member): Promise<void> {
  while (!String(await replica.call('INFO', 'replication')).includes('master_link_status:up')) await sleep(50)
}

/** Makes a cluster of machines that know nothing yet: the first ones are primaries, the others replicas of these. */
async function assemble(members: readonly Member[], primaries: number): Promise<void> {
  const first = members[0] as Member
  const ids = await Promise.all(members.map((member) => member.call('CLUSTER', 'MYID') as Promise<string>))
  for (const [n, member] of members.entries()) {
    const bound = (part: number) => Math.floor((part * slotCount) / primaries)
    if (n < primaries) await member.call('CLUSTER', 'ADDSLOTSRANGE', bound(n), bound(n + 1) - 1)
    if (n > 0) await first.call('CLUSTER', 'MEET', '127.0.0.1', member.port, member.busPort)
  }
  await Promise.all(members.map((member) => agreed(member, members.length)))
  const replicas = members.slice(primaries)
  for (const [n, member] of replicas.entries()) await member.call('CLUSTER', 'REPLICATE', ids[n] as string)
  await Promise.all(replicas.map(inSync))
}

/**
 * A Redis Cluster of one's own: so many primaries, each with a replica where they are asked for, in the clear or by TLS. It
 * does not run yet.
 */
export async function createTestCluster({ primaries = 3, replicas = false, tls = false } = {}): Promise<TestCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'duet-cluster-'))
  const count = replicas ? primaries * 2 : primaries
  const certificate = tls ? await certify(folder) : undefined
  const members = await Promise.all(Array.from({ length: count }, () => createMember(folder, certificate)))
  const [first, ...others] = members as [Member, ...Member[]]
  const all = <T>(act: (member: Member) => Promise<T>) => Promise.all(members.map(act))
  let isAssembled = false
  async function ownerOf(channel: string): Promise<Member> {
    const slot = slotOf(channel)
    const ranges = (await first.call('CLUSTER', 'SLOTS')) as [number, number, [string, number]][]
    const owner = ranges.find(([from, to]) => from <= slot && slot <= to)?.[2][1]
    return members.find(({ port }) => port === owner) as Member
  }
  async function beginMove(channel: string): Promise<Move> {
    const from = await ownerOf(channel)
    const to = members[(members.indexOf(from) + 1) % primaries] as Member
    const slot = slotOf(channel)
    const idOf = (member: Member) => member.call('CLUSTER', 'MYID') as Promise<string>
    const [fromId, toId] = [await idOf(from), await idOf(to)]
    // Without these two the machines would not agree whose word is the newer one.
    await to.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', fromId)
    await from.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', toId)
    return {
      to,
      async finish() {
        for (const member of [to, from]) await member.call('CLUSTER', 'SETSLOT', slot, 'NODE', toId)
      },
    }
  }
  return {
    ...{ members, certificate, ownerOf, beginMove },
    url: `${tls ? 'rediss' : 'redis'}://:${encodeURIComponent(password)}@127.0.0.1:${first.port}?cluster=${others.map(({ port }) => `127.0.0.1:${port}`)}`,
    run: (...command) => all((member) => member.call(...command)),
    publish: async (channel, text) => void (await (await ownerOf(channel)).call('SPUBLISH', channel, text)),
    signal: (name) => members.forEach((member) => void member.signal(name)),
    kill: async () => void (await all((member) => member.kill())),
    startApart: async () => void (await all((member) => member.start())),
    async start() {
      await all((member) => member.start())
      if (!isAssembled) await assemble(members, primaries)
      isAssembled = true
      await all((member) => agreed(member, count))
    },
    move: async (channel) => (await beginMove(channel)).finish(),
    async stop() {
      await all((member) => member.end())
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
