import { fork } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build } from 'esbuild'
import type pg from 'pg'
import { mostPeople } from '../../../server/src/features/candidates/load-index.ts'
import type { Percentiles } from '../../../tools/percentiles.ts'
import type { Figure } from '../../../tools/report.ts'
import { nodeFlagsOf } from '../../../tools/server.ts'
import { openWorld, type World } from '../discovery/world.ts'
import { copyPeople } from './copies.ts'

const nodes = 3
/** More are copies of these: to make someone up takes longer than all that is measured. */
const mostMadeUp = 100_000
const viewers = 200
const checked = 40

/** What a node is asked for: decks of people in its part, from `from` of a thousand up to below `to`. */
export interface Asked {
  owner: pg.ClientConfig
  dataDir: string
  from: number
  to: number
  /** People a node has room for, where that is not as many as always. */
  most?: number | undefined
  viewers: number
  checked: number
}

export interface Told {
  /** Resident when all of its part was searched, and at most. */
  mb: number
  peakMb: number
  /** How long it took to read its part. */
  seconds: number
  /** In its memory. */
  people: number
  /** A deck made anew, in ms. */
  deck: Percentiles
  /** Of the viewers that were checked, those whose search it had all of. */
  inMemory: number
  /** Viewers whose search found different people in memory and in the database. */
  unequal: number
  /** The search alone in the database, in ms. */
  database: Percentiles
}

const program = fileURLToPath(new URL('node.process.ts', import.meta.url))
const root = fileURLToPath(new URL('../../..', import.meta.url))
const bundled = 'server/dist-scale'

/** Bundles the program as the server is, beside its own build: what is read from sources takes memory that no node takes. */
async function bundleNode(): Promise<void> {
  const builder = (await import(join(root, 'scripts/build.mjs'))) as { serverBundle(outdir: string): BuildOptions }
  await build({ ...builder.serverBundle(bundled), entryPoints: [program], outbase: dirname(program) })
}

function runNode(asked: Asked): Promise<Told> {
  const execArgv = [...nodeFlagsOf(root), '--expose-gc']
  const child = fork(join(root, bundled, 'node.process.js'), [JSON.stringify(asked)], { execArgv })
  return new Promise((resolve, reject) => {
    let told: Told | undefined
    child.on('message', (message) => {
      told = message as Told
    })
    child.on('error', reject)
    child.on('exit', (code) => (told ? resolve(told) : reject(new Error(`node.process.ts ended with ${code}`))))
  })
}

const round = (value: number) => Math.round(value * 10) / 10

/** S3: three nodes, one after the other, each with its part of all people. */
export async function measureRegions({ people, keepIn }: { people: number; keepIn?: string | undefined }) {
  let world: Pick<World, 'stop'> | undefined
  const removeBundle = () => rm(join(root, bundled), { recursive: true, force: true })
  const stop = () => void Promise.all([world?.stop(), removeBundle()]).finally(() => process.exit(130))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  const madeUp = Math.min(people, mostMadeUp)
  const { owner, dataDir } = await openWorld({ people: madeUp, swipes: madeUp, keepIn }, (opening) => {
    world = opening
  })
  try {
    await copyPeople(owner, people)
    await bundleNode()
    const told: Told[] = []
    for (let node = 0; node < nodes; node++) {
      const [from, to] = [node, node + 1].map((n) => Math.ceil((1_000 * n) / nodes)) as [number, number]
      // A trial with few people still has more than there is room for.
      const most = people > mostPeople ? undefined : Math.round(people * 0.6)
      const one = await runNode({ owner, dataDir, from, to, most, viewers, checked })
      console.log(
        `  node ${node + 1}: ${one.people} people read in ${one.seconds.toFixed(0)} s, ${one.mb.toFixed(0)} MB, at most ${one.peakMb.toFixed(0)};
    a deck made anew ${round(one.deck.p50)} / ${round(one.deck.p99)} ms, the search alone in the database ${round(one.database.p50)} / ${round(one.database.p99)}; in memory ${one.inMemory} of ${checked}, unequal ${one.unequal}`,
      )
      told.push(one)
    }
    return figuresOf(told, people)
  } finally {
    await removeBundle()
    await world?.stop()
    world = undefined
  }
}

function figuresOf(told: readonly Told[], people: number): Figure[] {
  const most = (of: (one: Told) => number) => round(Math.max(...told.map(of)))
  const setting = `${people} people, ${nodes} nodes of which each has its part in memory, the worst of them`
  return [
    {
      id: 'S3.unequal',
      value: told.reduce((sum, { unequal }) => sum + unequal, 0),
      target: '<= 0',
      note: `of ${told.reduce((sum, { inMemory }) => sum + inMemory, 0)} viewers searched for in memory (${checked * nodes} asked), those whose search found other people in the database`,
    },
    {
      id: 'S3.in_memory',
      value: Math.round((100 * told.reduce((sum, { inMemory }) => sum + inMemory, 0)) / (checked * nodes)) / 100,
      target: '>= 0.95',
      note: 'viewers whose search its node had everything for, of all that were checked',
    },
    { id: 'S3.mb', value: most(({ mb }) => mb), target: '<= 512', note: `resident, all of a node; ${setting}` },
    {
      id: 'S3.p99_ms',
      value: most(({ deck }) => deck.p99),
      target: '<= 15',
      note: `a deck made anew, p50 ${most(({ deck }) => deck.p50)}; ${setting}`,
    },
    {
      id: 'S3.database_ratio',
      value: round(Math.min(...told.map(({ database, deck }) => database.p50 / deck.p50))),
      target: '>= 1',
      note: `the search alone in the database, as without parts (p50 up to ${most(({ database }) => database.p50)} ms), over a deck made anew`,
    },
  ]
}
