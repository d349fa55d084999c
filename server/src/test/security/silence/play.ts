import { type ActName, actOf } from './acts.ts'
import { isAlike } from './notices.ts'
import { cursorOf, type Heard, heardSince, type Looks, look, marked, probe, unplaced } from './observe.ts'
import { enter, makePair, type Pair, type Relation, type Scene, type Stage } from './pair.ts'

/** A table cell: an action, the actor's relation to the observer, and which of them are connected. */
export interface Cell {
  act: ActName
  relation: Relation
  scene: Scene
}

export interface Outcome extends Cell {
  /** The events that were noticed and, after a slash, what the observer finds changed when checking again. */
  noticed: string
  /** Everything received and found, except what always differs between two pairs of people. */
  transcript: string[]
}

/**
 * Longer than the grace period of a disconnected device, and than the time for which events are batched. A process's
 * timers fire in the order in which they are due, so anything due before the end of a pause has happened.
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

/** Waits until no job, timer, statement or transmission is pending. */
async function atRest({ app, rows }: Stage, pairs: readonly Pair[]): Promise<void> {
  const { pool } = app.platform
  while ((await rows.query(dueJobs)).length > 0) await pause(5)
  await pause(pausesMs.grace)
  while (pool.idleCount < pool.totalCount || pool.waitingCount > 0) await pause(5)
  await pause(pausesMs.gathering)
  await marked(pairs)
}

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

/** As many in parallel as even a slow database has connections for. */
const most = 3
async function each<T, R>(items: readonly T[], work: (item: T, place: number) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  for (let start = 0; start < items.length; start += most)
    done.push(...(await Promise.all(items.slice(start, start + most).map((item, n) => work(item, start + n)))))
  return done
}

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
