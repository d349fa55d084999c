import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { median } from '../../tools/percentiles.ts'
import { type Figure, report } from '../../tools/report.ts'
import { stayOnLoadCore } from './chat/cores.ts'
import { startProduct, startRow } from './chat/servers.ts'
import { type Asked, type Cost, createMeter } from './cost/meter.ts'
import { measureOpenings } from './cost/opening.ts'
import { makeManyTalks, setScene, type Viewer } from './cost/scene.ts'
import { createStatements } from './cost/statements.ts'
import { openWorld } from './discovery/world.ts'

/*
 * P10: the CPU time of server and database for one request of each kind, as a multiple of the floor's in the same run.
 * The floor is bare Fastify, which looks the token up in a map and runs one primary-key query. The server has a core to
 * itself; the database and the load share the other one. The job queue's statements run as another role and aren't
 * counted, but their CPU time is included. Last, P18 (`opening`): loading the list of conversations when the app opens.
 * `--only deck,likes` measures only these kinds, `--rounds 1` is quicker, `--statements` prints the statements that
 * take the most time, and `--profile FOLDER` writes a CPU profile of the server. With any of these options, no result
 * is written. `--keep-in FOLDER` stores the population there and reuses it next time.
 */
const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    statements: { type: 'boolean' },
    profile: { type: 'string' },
    'keep-in': { type: 'string' },
    rounds: { type: 'string', default: '5' },
  },
})
const only = options.only?.split(',')
const rounds = Number(options.rounds)
const isWhole = !only && !options.statements && !options.profile && rounds === 5
const population = { people: 20_000, swipes: 400_000 }
const viewerCount = 200
const eachRound = 200
/** Warm-up rounds, in which Node compiles the code. Their people are in no measured round. */
const warmUps = [6, 7, 8, 9, 0]
/** The floor's requests are so cheap that measuring them with the system's 10 ms ticks takes more rounds. */
const floorsEachRound = 5

const ofEach = (
  viewers: readonly Viewer[],
  asked: (viewer: Viewer, nth: number) => Asked,
): ((round: number) => Asked[]) => {
  return (round) =>
    Array.from({ length: eachRound }, (_, place) =>
      asked(viewers[place % viewers.length] as Viewer, round + Math.floor(place / viewers.length)),
    )
}
const get = (path: (viewer: Viewer, nth: number) => string) => (viewer: Viewer, nth: number) => ({
  path: path(viewer, nth),
  token: viewer.token,
})
const other = ({ others }: Viewer, nth: number) => others[nth % others.length] ?? ''

/**
 * The request of each kind, and its target as a multiple of the floor. Decisions come last because they change decks
 * and lists.
 */
const kinds: Record<string, { most: number; asked: (viewer: Viewer, nth: number) => Asked }> = {
  details: { most: 1.6, asked: get(() => '/api/user/myDetails') },
  deck: { most: 7, asked: get(() => '/api/deck') },
  nearby: { most: 7, asked: get(() => '/api/user/nearBy') },
  likes: { most: 4, asked: get(() => '/api/likes') },
  history: { most: 4, asked: get(() => '/api/messages/history') },
  profile: { most: 4, asked: get((viewer, nth) => `/api/user/${other(viewer, nth)}`) },
  photo: { most: 2, asked: get(({ photo }) => photo) },
  decide: {
    most: 8,
    asked: (viewer, nth) => ({
      method: 'PUT',
      path: `/api/decisions/${other(viewer, nth)}`,
      token: viewer.token,
      body: { decision: nth % 2 === 0 ? 'like' : 'pass' },
    }),
  },
}
const mostStatements: Record<string, number> = { deck: 4, nearby: 4, history: 3, details: 1 }

const cpuMs = ({ serverMs, databaseMs }: Cost) => serverMs + databaseMs
const round = (value: number) => Math.round(value * 100) / 100
const middle = (costs: readonly Cost[], of: (cost: Cost) => number) => median(costs.map(of))

function figuresOf(name: string, most: number, costs: readonly Cost[], floors: readonly Cost[]): Figure[] {
  const ratio = median(costs.map((cost, place) => cpuMs(cost) / cpuMs(floors[place] as Cost)))
  const of = (take: (cost: Cost) => number) => round(middle(costs, take))
  const statements = of((cost) => cost.statements)
  const note = [
    `server ${of((cost) => cost.serverMs)} ms, database ${of((cost) => cost.databaseMs)} ms of CPU`,
    `p50 ${of(({ times }) => times.p50)}, p99 ${of(({ times }) => times.p99)} ms`,
    `${of((cost) => cost.sentKb)} KB to the database, ${of((cost) => cost.answerKb)} KB answered`,
    `medians of ${costs.length} rounds of ${eachRound}`,
  ].join('; ')
  const figure = {
    id: `P10.${name}`,
    value: round(ratio),
    target: `<= ${most}`,
    note: `${statements} statements; ${note}`,
  }
  const limit = mostStatements[name]
  return limit === undefined
    ? [figure]
    : [figure, { id: `P10.statements_${name}`, value: statements, target: `<= ${limit}`, note }]
}

stayOnLoadCore()
const folder = mkdtempSync(join(tmpdir(), 'duet-cost-'))
const stops: (() => Promise<unknown>)[] = [async () => rmSync(folder, { recursive: true, force: true })]
async function tidy(): Promise<void> {
  for (const stop of stops.splice(0)) await stop().catch((error) => console.error(error))
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void tidy().finally(() => process.exit(130)))
try {
  const world = await openWorld(
    {
      ...population,
      keepIn: options['keep-in'] ?? folder,
      settings: {
        shared_preload_libraries: 'pg_stat_statements',
        'pg_stat_statements.track_utility': 'off',
        // Only with `--statements`, because tracking has a small cost of its own.
        ...(options.statements && { 'pg_stat_statements.track_planning': 'on' }),
      },
    },
    ({ stop }) => stops.unshift(stop),
  )
  const owner = new pg.Pool({ ...world.owner, max: 2 })
  stops.unshift(() => owner.end())
  await owner.query('create extension if not exists pg_stat_statements')
  const { host, user, database } = world.owner
  const url = `postgresql:///${database}?host=${encodeURIComponent(host ?? '')}&user=${user}`
  const profiling = options.profile ? { profileIn: options.profile } : {}
  const product = await startProduct({ dataDir: world.dataDir, url }, profiling)
  stops.unshift(() => product.stop())
  const viewers = await setScene({ base: `http://127.0.0.1:${product.port}`, port: product.port }, world.owner, {
    count: viewerCount,
    keptIn: join(world.dataDir, 'viewers.json'),
  })
  const tokens = join(folder, 'tokens.json')
  writeFileSync(tokens, JSON.stringify(viewers.map(({ token, id }) => [`Bearer ${token}`, id])))
  const floor = await startRow(world.dataDir, tokens)
  stops.unshift(() => floor.stop())
  const meter = createMeter(owner, join(world.dataDir, 'postgres'))
  const floorAsked = ofEach(
    viewers,
    get(() => '/profile'),
  )
  const statements = createStatements(owner)
  const figures: Figure[] = []
  for (const [name, { most, asked }] of Object.entries(kinds)) {
    if (only && !only.includes(name)) continue
    const inRound = ofEach(viewers, asked)
    for (const nth of warmUps) {
      await meter.measure(floor, floorAsked(nth))
      await meter.measure(product, inRound(nth))
    }
    const [costs, floors]: [Cost[], Cost[]] = [[], []]
    if (options.statements) await statements.reset()
    for (let nth = 1; nth <= rounds; nth++) {
      floors.push(await meter.measure(floor, Array.from({ length: floorsEachRound }, () => floorAsked(nth)).flat()))
      costs.push(await meter.measure(product, inRound(nth)))
    }
    const told = figuresOf(name, most, costs, floors)
    for (const { id, value, note } of told)
      console.log(`  ${id} ${value}: ${note}; the floor ${round(middle(floors, cpuMs))} ms`)
    figures.push(...told)
    if (options.statements) console.log(await statements.table(rounds * eachRound))
  }
  if (!only || only.includes('opening')) {
    await makeManyTalks({ base: `http://127.0.0.1:${product.port}`, port: product.port }, viewers)
    const told = await measureOpenings({ meter, server: product, viewers, rounds })
    for (const { id, value, note } of told) console.log(`  ${id} ${value}: ${note}`)
    figures.push(...told)
  }
  if (isWhole) report('cost', figures)
} finally {
  await tidy()
}
