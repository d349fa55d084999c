import { randomUUID } from 'node:crypto'
import type { Pools } from '../../../platform/database/database.ts'
import type { TestApp } from '../../app.ts'
import type { Answer, Person } from '../../people.ts'
import { person } from '../../people.ts'
import type { Rows } from '../rows.ts'
import { openWire, type Wire } from '../wire.ts'

/**
 * What the actor is to the observer: a stranger; someone the observer likes; an admirer; a match; the sender or the
 * receiver of an unanswered message; a partner in a conversation; both match and partner; someone who blocks the
 * observer, or is blocked by them.
 */
export const relations = [
  'stranger',
  'liked',
  'admirer',
  'match',
  'sender',
  'receiver',
  'partner',
  'couple',
  'blocker',
  'blocked',
] as const
export type Relation = (typeof relations)[number]

/** Which of the two is connected. */
export const scenes = ['both here', 'actor away', 'observer away'] as const
export type Scene = (typeof scenes)[number]

/** Two people, far from all others. The actor does something that the observer may notice. */
export interface Pair {
  app: TestApp
  /** The owner's database connections, for running jobs. */
  owner: Pools
  actor: Person
  observer: Person
  relation: Relation
  scene: Scene
  /** The location of the two, as their pages show it. */
  place: { latitude: number; longitude: number }
  actors: Wire | undefined
  observers: Wire | undefined
  close(): void
}

const params = ({ id }: Person) => ({ params: { userId: id } })
export const like = (from: Person, to: Person): Promise<Answer<object>> =>
  from.call('PUT /api/decisions/:userId', { ...params(to), body: { decision: 'like' } })
export const block = (from: Person, to: Person): Promise<Answer<object>> =>
  from.call('PUT /api/blocks/:userId', params(to))

async function write({ app }: Pick<Pair, 'app'>, from: Person, to: Person, message: string): Promise<unknown> {
  const wire = await openWire(app.url, from.token)
  const sent = { id: randomUUID(), message, senderId: from.id, receiverId: to.id }
  const answer = await wire.ask('send_message', sent)
  wire.close()
  return answer
}

type Making = (pair: Pick<Pair, 'app' | 'actor' | 'observer'>) => Promise<unknown>

const bothLike: Making = async ({ actor, observer }) => {
  await like(actor, observer)
  await like(observer, actor)
}
const bothWrite: Making = async (pair) => {
  await write(pair, pair.actor, pair.observer, 'Hello from the actor')
  await write(pair, pair.observer, pair.actor, 'Hello from the observer')
}

const makings: Record<Relation, Making> = {
  stranger: async () => undefined,
  liked: ({ actor, observer }) => like(observer, actor),
  admirer: ({ actor, observer }) => like(actor, observer),
  match: bothLike,
  sender: (pair) => write(pair, pair.actor, pair.observer, 'Hello from the actor'),
  receiver: (pair) => write(pair, pair.observer, pair.actor, 'Hello from the observer'),
  partner: bothWrite,
  couple: async (pair) => {
    await bothLike(pair)
    await bothWrite(pair)
  },
  blocker: async (pair) => {
    await bothWrite(pair)
    await block(pair.actor, pair.observer)
  },
  blocked: async (pair) => {
    await bothWrite(pair)
    await block(pair.observer, pair.actor)
  },
}

const jobsAbout = 'select 1 from graphile_worker._private_jobs where payload::text like $1 limit 1'

/** Waits until the announcement of a newcomer is done, so that it doesn't notify people who are created later. */
async function announced(rows: Pick<Rows, 'query'>, { id }: Person): Promise<void> {
  while ((await rows.query(jobsAbout, [`%${id}%`])).length > 0) await new Promise((resolve) => setTimeout(resolve, 5))
}

export interface Stage {
  app: TestApp
  owner: Pools
  rows: Pick<Rows, 'query'>
}

export async function makePair(
  { app, owner, rows }: Stage,
  relation: Relation,
  scene: Scene,
  number: number,
): Promise<Pair> {
  const place = { latitude: -60 + 3 * (number % 40), longitude: -170 + 3 * (Math.floor(number / 40) % 113) }
  const actor = await person(app, { name: 'Actor', at: place })
  await announced(rows, actor)
  const observer = await person(app, { name: 'Observer', at: place })
  await makings[relation]({ app, actor, observer })
  const pair: Pair = {
    ...{ app, owner, actor, observer, relation, scene, place, actors: undefined, observers: undefined },
    close() {
      pair.actors?.close()
      pair.observers?.close()
    },
  }
  return pair
}

export async function enter(pair: Pair, isSignedOut: boolean): Promise<void> {
  const { app, actor, observer, scene } = pair
  if (scene !== 'actor away' && !isSignedOut) pair.actors = await openWire(app.url, actor.token)
  if (scene !== 'observer away') pair.observers = await openWire(app.url, observer.token)
}
