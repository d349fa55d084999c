import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createApp } from '../../../server/src/app.ts'
import { readConfig } from '../../../server/src/config.ts'
import { getSearcher, searchDatabase } from '../../../server/src/features/candidates/candidates.ts'
import { searchInMemory } from '../../../server/src/features/candidates/indexed-search.ts'
import { currentIndex, holds, keepPeopleIndex, partOf } from '../../../server/src/features/candidates/keep-index.ts'
import { searchBounds } from '../../../server/src/features/candidates/search-bounds.ts'
import { buildDeck } from '../../../server/src/features/discovery/deck.ts'
import { likersOf } from '../../../server/src/features/likes/lists.ts'
import { regionsAround } from '../../../server/src/features/places/cells.ts'
import type { Platform } from '../../../server/src/platform/platform.ts'
import { percentilesOf, timed } from '../../../tools/percentiles.ts'
import type { Asked, Told } from './regions.ts'

// One node of several: it takes the people of its part into memory as their searches would, makes decks for some of them,
// and compares the people it finds with those the database finds. Tells what came of it, and ends.

const turns = 3
const patienceMs = 240_000

/** A cell as places know it, from its number as the database writes it. */
const cellOf = (number: string) => BigInt(number).toString(16)

/** Lets someone in every cell of the part search, until the index holds what they need, or as much of it as it has room for. */
async function takeIn(platform: Platform, cells: readonly string[]): Promise<void> {
  const needed = new Map(cells.map((cell) => [cell, regionsAround(cell, searchBounds.farthestKm)]))
  const since = performance.now()
  for (let searching = cells; searching.length > 0 && performance.now() - since < patienceMs; await sleep(1_000)) {
    const current = currentIndex(platform)
    if (!current) throw new Error('There is no index.')
    for (const cell of searching === cells ? cells : searching.slice(0, 1))
      holds(platform, current, cell, searchBounds.farthestKm)
    searching = cells.filter((cell) => needed.get(cell)?.some((region) => !current.regions?.has(region)))
  }
}

const idsOf = (found: readonly { id: string }[] | undefined) => JSON.stringify(found?.map(({ id }) => id).sort())

/** Whether memory and database find the same people, and how long the database took in ms. */
async function compare(platform: Platform, id: string) {
  const searcher = await getSearcher(platform, id)
  const current = currentIndex(platform)
  if (!current || !searcher.place) throw new Error('Nothing to search.')
  const likers = await likersOf(platform, id)
  const search = { ...searcher, cell: searcher.place.cell }
  const found = await searchInMemory(platform, current, search, likers)
  let expected: Awaited<ReturnType<typeof searchDatabase>>
  const databaseMs = await timed(async () => {
    expected = await searchDatabase(platform, searcher, likers)
  })
  return { found, isEqual: found !== 'no index' && idsOf(found) === idsOf(expected), databaseMs }
}

async function measure(platform: Platform, pool: pg.Pool, { from, to, viewers, checked }: Asked): Promise<Told> {
  const isMine = (cell: string) => {
    const part = partOf(platform, cellOf(cell))
    if (part === undefined) throw new Error('The index holds everyone: take more people.')
    return part >= from && part < to
  }
  const { rows: cells } = await pool.query<{ cell: string }>('select distinct cell::text as cell from candidates')
  const mine = cells.filter(({ cell }) => isMine(cell)).map(({ cell }) => cellOf(cell))
  const since = performance.now()
  await takeIn(platform, mine)
  const seconds = (performance.now() - since) / 1000
  const { rows: drawn } = await pool.query<{ id: string; cell: string }>(
    'select user_id as id, cell::text as cell from candidates join accounts on id = user_id order by md5(user_id::text) limit $1',
    [viewers * 20],
  )
  const ids = drawn
    .filter(({ cell }) => isMine(cell))
    .slice(0, viewers)
    .map(({ id }) => id)
  const deck = async (id: string) => buildDeck(platform, await getSearcher(platform, id))
  for (const id of ids) await deck(id)
  const times: number[] = []
  for (let turn = 0; turn < turns; turn++) for (const id of ids) times.push(await timed(() => deck(id)))
  for (let turn = 0; turn < 2; turn++) {
    globalThis.gc?.()
    await sleep(3_000)
  }
  const memory = process.memoryUsage()
  const mb = memory.rss / 2 ** 20
  console.log(
    `    of ${Math.round(mb)} MB, ${Math.round(memory.arrayBuffers / 2 ** 20)} in arrays, ${Math.round(memory.heapTotal / 2 ** 20)} for objects, of which ${Math.round(memory.heapUsed / 2 ** 20)} are alive`,
  )
  const compared = []
  for (const id of ids.slice(0, checked)) compared.push(await compare(platform, id))
  const searched = compared.filter(({ found }) => found !== 'no index')
  return {
    ...{ mb, seconds, peakMb: process.resourceUsage().maxRSS / 1024, deck: percentilesOf(times) },
    people: currentIndex(platform)?.index.ids.count ?? 0,
    inMemory: searched.length,
    unequal: searched.filter(({ isEqual }) => !isEqual).length,
    database: percentilesOf(compared.map(({ databaseMs }) => databaseMs)),
  }
}

const asked = JSON.parse(process.argv[2] ?? '') as Asked
const { owner, dataDir, most } = asked
const environment = { DATA_DIR: dataDir, DEMO: 'off', LOG_LEVEL: 'error', RATE_LIMIT_SCALE: '1000000' }
const config = readConfig({ ...environment, SECRET_KEY: 'a key for benches, long enough to be one' })
const app = await createApp({ config, owner, webFolder: join(dataDir, 'no-web-app'), byTheClock: false })
await app.indexed
const indexing = most === undefined ? undefined : keepPeopleIndex(app.platform, { most })
await indexing?.loaded
const pool = new pg.Pool({ ...owner, max: 2 })
process.send?.(await measure(app.platform, pool, asked))
await pool.end()
await indexing?.close()
await app.close()
process.disconnect?.()
