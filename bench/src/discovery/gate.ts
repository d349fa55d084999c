import { join } from 'node:path'
import pg from 'pg'
import { createApp } from '../../../server/src/app.ts'
import { readConfig } from '../../../server/src/config.ts'
import {
  getSearcher,
  type Searcher,
  searchCandidates,
  searchDatabase,
} from '../../../server/src/features/candidates/candidates.ts'
import { likersOf } from '../../../server/src/features/likes/lists.ts'
import type { Platform } from '../../../server/src/platform/platform.ts'
import { percentilesOf, timed } from '../../../tools/percentiles.ts'
import { cpuMsOf } from '../chat/cores.ts'
import { databaseCpuMs } from '../cost/meter.ts'
import type { World } from './world.ts'

const viewerCount = 100
const warmUps = 2
const rounds = 10

/** People of the five fullest wide cells, ordered by a hash so that every run chooses the same ones. */
const fullest = `
  select user_id as id from candidates
  where cell in (select cell from candidates group by cell order by count(*) desc, cell limit 5)
  order by md5(user_id::text) limit $1`

interface Viewer {
  searcher: Searcher
  likers: string[]
}

const ways = { 'the database': searchDatabase, 'the index in memory': searchCandidates } as const
type Way = keyof typeof ways

interface Times {
  each: number[]
  serverMs: number
  databaseMs: number
}

async function runRound(platform: Platform, way: Way, viewers: readonly Viewer[], folder: string, times: Times) {
  const before = [cpuMsOf(process.pid), databaseCpuMs(folder)] as const
  for (const { searcher, likers } of viewers) times.each.push(await timed(() => ways[way](platform, searcher, likers)))
  times.serverMs += cpuMsOf(process.pid) - before[0]
  times.databaseMs += databaseCpuMs(folder) - before[1]
}

/** Throws if the two ways find different people. Returns the average number of people found per viewer. */
async function compare(platform: Platform, viewers: readonly Viewer[]): Promise<number> {
  let sum = 0
  for (const { searcher, likers } of viewers) {
    const found: string[] = []
    for (const search of Object.values(ways))
      found.push(
        ((await search(platform, searcher, likers)) ?? [])
          .map(({ id }) => id)
          .sort()
          .join(),
      )
    if (found[0] !== found[1])
      throw new Error(`${searcher.viewerId} finds different people in memory and in the database`)
    sum += found[0] === '' ? 0 : (found[0]?.split(',').length ?? 0)
  }
  return sum / viewers.length
}

async function chooseViewers(world: World, platform: Platform): Promise<Viewer[]> {
  const owner = new pg.Pool({ ...world.owner, max: 1 })
  owner.on('error', () => undefined)
  try {
    await owner.query('vacuum analyze')
    await owner.query('checkpoint')
    const { rows } = await owner.query<{ id: string }>(fullest, [viewerCount])
    const viewers: Viewer[] = []
    for (const { id } of rows)
      viewers.push({ searcher: await getSearcher(platform, id), likers: await likersOf(platform, id) })
    return viewers
  } finally {
    await owner.end()
  }
}

interface Searched {
  p50: number
  p95: number
  p99: number
  serverMs: number
  databaseMs: number
}

/** Runs the search each way, in turns and one at a time, for viewers of the five fullest cells. */
export async function measureSearch(world: World): Promise<Record<Way, Searched>> {
  const environment = { DATA_DIR: world.dataDir, DEMO: 'off', LOG_LEVEL: 'error', RATE_LIMIT_SCALE: '1000000' }
  const config = readConfig({ ...environment, SECRET_KEY: 'a key for benches, long enough to be one' })
  const app = await createApp({ config, owner: world.owner, webFolder: join(world.dataDir, 'no-web-app') })
  try {
    await app.indexed
    const viewers = await chooseViewers(world, app.platform)
    console.log(`  both ways find the same people, ${Math.round(await compare(app.platform, viewers))} each on average`)
    const fresh = (): Times => ({ each: [], serverMs: 0, databaseMs: 0 })
    const times: Record<Way, Times> = { 'the database': fresh(), 'the index in memory': fresh() }
    const folder = join(world.dataDir, 'postgres')
    for (let round = 0; round < warmUps + rounds; round++)
      for (const way of Object.keys(ways) as Way[])
        await runRound(app.platform, way, viewers, folder, round < warmUps ? fresh() : times[way])
    const searched = (way: Way): Searched => {
      const { each, serverMs, databaseMs } = times[way]
      return { ...percentilesOf(each), serverMs: serverMs / each.length, databaseMs: databaseMs / each.length }
    }
    return {
      'the database': searched('the database'),
      'the index in memory': searched('the index in memory'),
    }
  } finally {
    await app.close()
  }
}
