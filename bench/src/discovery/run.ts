import { join } from 'node:path'
import pg from 'pg'
import { createApp } from '../../../server/src/app.ts'
import { readConfig } from '../../../server/src/config.ts'
import { insertSessions } from '../../../server/src/demo/population.queries.ts'
import { getSearcher, searchCandidates } from '../../../server/src/features/candidates/candidates.ts'
import { buildDeck } from '../../../server/src/features/discovery/deck.ts'
import { insightsNow } from '../../../server/src/features/insights/insights.ts'
import { connectOwner } from '../../../server/src/platform/database/database.ts'
import type { Platform } from '../../../server/src/platform/platform.ts'
import { hashToken, newToken } from '../../../server/src/platform/security/session.ts'
import { median, medianOf, type Percentiles, percentilesOf, timed } from '../../../tools/percentiles.ts'
import { findNaively, spotOf } from './naive.ts'
import { verify } from './oracle.ts'
import { chooseViewers, type Kind, kinds, type Viewers } from './viewers.ts'
import type { World } from './world.ts'

const viewersOfAKind = 40
const rounds = 3
/**
 * How often each viewer gets a deck per round. Requests for a stored deck and the naive query run only in the first
 * turn.
 */
const turns = 5
const verifiedOfAKind = 2
const insightsTurns = 9

type ByKind = Record<Kind, Percentiles>

export interface Measured {
  rounds: number
  requests: number
  build: ByKind
  /** GET /api/deck, if the deck must be built (`made`) and if it is stored (`kept`). */
  made: ByKind
  kept: ByKind
  naive: ByKind
  /** The operator's insights without a cached result: the median in ms. */
  insightsMs: number
}

interface Bench {
  platform: Platform
  url: string
  owner: pg.Pool
  /** A connection with the application's role, for the naive query. */
  peer: pg.Pool
  tokens: Map<string, string>
}

async function signIn(world: World, ids: readonly string[]): Promise<Map<string, string>> {
  const { db, pool } = connectOwner(world.owner, () => undefined)
  const sessions = ids.map((id) => ({ id, token: newToken() }))
  const now = new Date()
  const rows = sessions.map(({ id, token }) => ({ id, tokenHash: hashToken(token) }))
  await insertSessions(db, rows, now, new Date(now.getTime() + 86_400_000))
  await pool.end()
  return new Map(sessions.map(({ id, token }) => [id, token]))
}

async function getDeck({ url, tokens }: Bench, id: string): Promise<void> {
  const answer = await fetch(`${url}/api/deck`, { headers: { authorization: `Bearer ${tokens.get(id)}` } })
  if (!answer.ok) throw new Error(`GET /api/deck: ${answer.status} ${await answer.text()}`)
  await answer.arrayBuffer()
}

const forget = ({ owner }: Bench, id: string) => owner.query('delete from decks where user_id = $1', [id])

interface Times {
  build: number[]
  made: number[]
  kept: number[]
  naive: number[]
}

async function makeDeck(bench: Bench, id: string, times: Times): Promise<void> {
  await forget(bench, id)
  times.made.push(await timed(() => getDeck(bench, id)))
  times.build.push(await timed(async () => buildDeck(bench.platform, await getSearcher(bench.platform, id))))
}

async function lookAgain(bench: Bench, id: string, times: Times): Promise<void> {
  times.kept.push(await timed(() => getDeck(bench, id)))
  const spot = await spotOf(bench.owner, id)
  times.naive.push(await timed(() => findNaively(bench.peer, spot)))
}

async function runRound(bench: Bench, viewers: Viewers, often = turns): Promise<Record<Kind, Times>> {
  const fresh = (): Times => ({ build: [], made: [], kept: [], naive: [] })
  const times: Record<Kind, Times> = { dense: fresh(), mid: fresh(), rural: fresh(), heavy: fresh() }
  for (let turn = 0; turn < often; turn++)
    for (let place = 0; place < viewersOfAKind; place++)
      for (const kind of kinds) {
        const id = viewers[kind][place]
        if (!id) continue
        await makeDeck(bench, id, times[kind])
        if (turn === 0) await lookAgain(bench, id, times[kind])
      }
  return times
}

async function explain({ platform, peer }: Bench, viewers: Viewers): Promise<void> {
  for (const kind of kinds) {
    const asked: { text: string; values: unknown[]; name?: string }[] = []
    const query = (config: (typeof asked)[number]) => {
      asked.push(config)
      return platform.pool.query(config)
    }
    const pool = { query }
    const searcher = await getSearcher(platform, viewers[kind][0] ?? '')
    await searchCandidates({ ...platform, pool: pool as never }, searcher, [])
    for (const { text, values, name } of asked.filter((one) => one.name?.startsWith('candidates-'))) {
      const { rows } = await peer.query({ text: `explain (analyze, buffers) ${text}`, values, rowMode: 'array' })
      console.log(`\n── ${kind}: ${name}\n${rows.map(([line]) => line).join('\n')}`)
    }
  }
}

async function prepare(world: World, platform: Platform, url: string): Promise<{ bench: Bench; viewers: Viewers }> {
  const owner = new pg.Pool({ ...world.owner, max: 2 })
  const peer = new pg.Pool({ ...world.owner, max: 2, options: '-c role=duet_app -c jit=off' })
  // Ignore errors, because an interrupted bench cuts the connections.
  for (const pool of [owner, peer]) pool.on('error', () => undefined)
  const viewers = await chooseViewers(owner, viewersOfAKind, async (id, most) =>
    findNaively(owner, await spotOf(owner, id), most),
  )
  await owner.query('vacuum analyze')
  await owner.query('checkpoint')
  const tokens = await signIn(
    world,
    kinds.flatMap((kind) => viewers[kind]),
  )
  return { bench: { platform, url, owner, peer, tokens }, viewers }
}

async function verifyAll({ platform, owner }: Bench, viewers: Viewers): Promise<void> {
  for (const kind of kinds) {
    const found: number[] = []
    for (const id of viewers[kind].slice(0, verifiedOfAKind)) found.push(await verify(platform, owner, id))
    console.log(`  ${kind}: ${viewers[kind].length} viewers; as everybody who fits says, found ${found.join(', ')}`)
  }
}

/** Advances the clock by two minutes each time, because insights are cached for one minute. */
async function measureInsights({ platform }: Bench): Promise<number> {
  const times: number[] = []
  for (let nth = 0; nth <= insightsTurns; nth++) {
    const clock = { now: () => new Date(Date.now() + nth * 120_000) }
    times.push(await timed(() => insightsNow({ ...platform, clock })))
  }
  // Drop the first time, which is a warm-up.
  return median(times.slice(1))
}

function summarise(times: Record<Kind, Times>[]): Omit<Measured, 'insightsMs'> {
  const of = (what: keyof Times) =>
    Object.fromEntries(
      kinds.map((kind) => [kind, medianOf(times.map((round) => percentilesOf(round[kind][what])))]),
    ) as ByKind
  const measured = { build: of('build'), made: of('made'), kept: of('kept'), naive: of('naive') }
  const lines = { build: 'deck made anew', made: 'request, made', kept: 'request, kept', naive: 'peer' }
  const show = ({ p50, p95, p99 }: Percentiles) => [p50, p95, p99].map((ms) => ms.toFixed(1)).join(' / ')
  console.log(`  p50 / p95 / p99 ms: ${kinds.join(' | ')}`)
  for (const [what, line] of Object.entries(lines))
    console.log(`  ${line}: ${kinds.map((kind) => show(measured[what as keyof Times][kind])).join(' | ')}`)
  return { rounds, requests: turns * viewersOfAKind, ...measured }
}

/** Chooses viewers, compares the search results of some with a full scan, and measures. */
export async function measureWorld(world: World, options: { explain: boolean }): Promise<Measured> {
  const environment = { DATA_DIR: world.dataDir, DEMO: 'off', LOG_LEVEL: 'error', RATE_LIMIT_SCALE: '1000000' }
  const config = readConfig({ ...environment, SECRET_KEY: 'a key for benches, long enough to be one' })
  const app = await createApp({ config, owner: world.owner, webFolder: join(world.dataDir, 'no-web-app') })
  const before = process.memoryUsage()
  const since = performance.now()
  await app.indexed
  const held = process.memoryUsage().arrayBuffers - before.arrayBuffers
  console.log(
    `  people indexed in ${((performance.now() - since) / 1000).toFixed(1)} s, ${Math.round(held / 2 ** 20)} MB`,
  )
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.http.server.address() as { port: number }
  const { bench, viewers } = await prepare(world, app.platform, `http://127.0.0.1:${port}`)
  try {
    await verifyAll(bench, viewers)
    if (options.explain) await explain(bench, viewers)
    // Warms up connections, caches and plans.
    await runRound(bench, viewers, 2)
    const times: Record<Kind, Times>[] = []
    for (let round = 0; round < rounds; round++) times.push(await runRound(bench, viewers))
    return { ...summarise(times), insightsMs: await measureInsights(bench) }
  } finally {
    await bench.owner.end()
    await bench.peer.end()
    await app.close()
  }
}
