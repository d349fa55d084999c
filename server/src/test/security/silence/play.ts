import { type ActName, actOf } from './acts.ts'
import { isAlike } from './notices.ts'
import { cursorOf, type Heard, heardSince, type Looks, look, marked, probe, unplaced } from './observe.ts'
import { enter, makePair, type Pair, type Relation, type Scene, type Stage } from './pair.ts'

/** One cell of the table: an act, what the actor is to the observer, and who is connected. */
export interface Cell {
  act: ActName
  relation: Relation
  scene: Scene
}

export interface Outcome extends Cell {
  /** What was noticed in words: events at once, and after a slash what another look finds changed. */
  noticed: string
  /** All that was heard, found and answered, without what differs between two pairs. */
  transcript: string[]
}

/**
 * Longer than a device may be gone before it counts, and than news are gathered. Timers of one process go off in the order
 * of their moments, however late: what was planned before a pause has happened after it.
 */
const pausesMs = { grace: 1_100, gathering: 200 }

interface Playing {
  pair: Pair
  cell: Cell
  before: Looks
  cursor: string
  start: number
}

async function prepare(stage: Stage, cell: Cell, number: number): Promise<Playing> {
  const pair = await makePair(stage, cell.relation, cell.scene, number)
  const act = actOf(cell.act)
  await act.before?.(pair)
  await enter(pair, act.isSignedOut === true)
  return { pair, cell, before: {}, cursor: '', start: 0 }
}

const dueJobs = 'select 1 from graphile_worker._private_jobs where locked_at is not null or run_at <= now() limit 1'
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Waits until nothing is under way any more: no job, no timer, no statement, and nothing between server and device. */
async function atRest({ app, rows }: Stage, pairs: readonly Pair[]): Promise<void> {
  const { pool } = app.platform
  while ((await rows.query(dueJobs)).length > 0) await pause(5)
  await pause(pausesMs.grace)
  while (pool.idleCount < pool.totalCount || pool.waitingCount > 0) await pause(5)
  await pause(pausesMs.gathering)
  await marked(pairs)
}

/** What another look finds that an earlier one did not. */
const changedLooks = (before: Looks, now: Looks) => Object.keys(now).filter((key) => now[key] !== before[key])

function inWords({ words }: Heard, changed: readonly string[]): string {
  return [words.join(' '), ...(changed.length > 0 ? [`/ ${changed.join(' ')}`] : [])].join(' ').trim()
}

async function result({ pair, cell, before, cursor, start }: Playing): Promise<Outcome> {
  const heard = heardSince(pair, start)
  const looks = await look(pair, cursor)
  const noticed = inWords(heard, changedLooks(before, looks))
  const found = Object.entries(looks).map(([key, text]) => unplaced(`${key} ${text}`))
  const answers = isAlike(cell) ? await probe(pair) : []
  return { ...cell, noticed, transcript: [...heard.lines, ...found, ...answers] }
}

/** As many at once as the database has room for, also where it is slow. */
const most = 3
async function each<T, R>(items: readonly T[], work: (item: T, place: number) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  for (let start = 0; start < items.length; start += most)
    done.push(...(await Promise.all(items.slice(start, start + most).map((item, n) => work(item, start + n)))))
  return done
}

/** Plays some cells side by side, each with two people of its own. */
export async function play(stage: Stage, cells: readonly Cell[], first: number): Promise<Outcome[]> {
  const all = await each(cells, (cell, place) => prepare(stage, cell, first + place))
  const pairs = all.map(({ pair }) => pair)
  try {
    await atRest(stage, pairs)
    await each(all, async (playing) => {
      playing.cursor = await cursorOf(playing.pair)
      playing.before = await look(playing.pair, playing.cursor)
    })
    await atRest(stage, pairs)
    for (const playing of all) playing.start = playing.pair.observers?.heard.length ?? 0
    await each(all, ({ pair, cell }) => actOf(cell.act).run(pair))
    await atRest(stage, pairs)
    return await each(all, result)
  } finally {
    for (const pair of pairs) pair.close()
  }
}
