import { listCursorHeader } from '@duet/contract/limits.ts'
import { snap } from '../../../features/cells/cells.ts'
import { minutes } from '../../../platform/clock.ts'
import type { TestApp } from '../../app.ts'
import { addressOf } from '../requests.ts'
import { openWire, type Wire } from '../wire.ts'
import type { Place, Step } from './script.ts'
import type { Twin, Twins } from './twins.ts'

/** Pairs of points that no attacker may be able to tell apart, one point for each world. */
export type Pairs = readonly (readonly [Place, Place])[]

interface Stage {
  twins: Twins
  victim: Twin
  attackers: readonly Twin[]
  pairs: Pairs
}

/** The stage, and the victim's published position: the centre of a cell that is the same in both worlds. */
interface Scene extends Omit<Stage, 'twins' | 'pairs'> {
  published: Place
}

/** A point `km` beyond the edge of a distance bucket around a place. */
function beyondEdge({ latitude, longitude }: Place, { edge, km, direction }: Step & { act: 'probe' }): Place {
  const degrees = (edge + km) / 111.2
  return {
    latitude: latitude + degrees * Math.cos(direction),
    longitude: longitude + (degrees * Math.sin(direction)) / Math.cos((latitude * Math.PI) / 180),
  }
}

/** Headers that contain times or request ids, or depend on the connection. */
const unsaid = new Set(['date', 'x-request-id', 'connection', 'keep-alive'])

interface World {
  app: TestApp
  lines: string[]
  wires: Map<string, Wire>
}

async function call(
  { app, lines }: World,
  { token }: Twin,
  method: string,
  path: string,
  body?: unknown,
): Promise<void> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const response = await fetch(app.url + path, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  })
  const seen = [...response.headers]
    .filter(([name]) => !unsaid.has(name))
    // The cursor is encrypted, so its text differs each time, but its length must not.
    .map(([name, value]) => [name, name === listCursorHeader ? value.length : value])
  const text = (await response.text()).replace(/"requestId":"[^"]*"/, '')
  lines.push(`${method} ${path} ${response.status} ${JSON.stringify(seen)} ${text}`)
}

/** Pages through the people nearby, using cursors from the same world. */
async function nearby(world: World, attacker: Twin, limit: number): Promise<void> {
  let cursor: string | undefined
  for (let page = 0; page < 4; page++) {
    const query = { limit, ...(cursor && { cursor }) }
    await call(world, attacker, 'GET', addressOf({ path: '/api/user/nearBy', query }))
    cursor = /"nextCursor":"([^"]+)"/.exec(world.lines.at(-1) ?? '')?.[1]
    if (!cursor) return
  }
}

async function wireOf({ app, wires }: World, { id, token }: Twin): Promise<Wire> {
  const wire = wires.get(id) ?? (await openWire(app.url, token))
  wires.set(id, wire)
  return wire
}

async function ask(world: World, asker: Twin, event: string, payload?: unknown): Promise<void> {
  const answer = await (await wireOf(world, asker)).ask(event, payload)
  // The cursor is encrypted with a new nonce each time, so only its length could reveal something, and that is
  // compared.
  world.lines.push(`${event} ${JSON.stringify(answer)?.replace(/"cursor":"[\w-]{116}"/, '')}`)
}

const message = (from: Twin, to: Twin, count: number) => ({
  ...{ id: `message-${count}`, message: 'Hello there', senderId: from.id, receiverId: to.id },
})

const reads: Partial<Record<Step['act'], string>> = {
  deck: '/api/deck',
  likes: '/api/likes',
  matches: '/api/matches',
  history: '/api/messages/history',
  notices: '/api/notifications',
}

/** The HTTP request of a step; undefined for steps that aren't requests. */
function requestOf(step: Step, victim: Twin): [method: string, path: string, body?: unknown] | undefined {
  const read = reads[step.act]
  if (read) return ['GET', read]
  if (step.act === 'page') return ['GET', `/api/user/${victim.id}`]
  if (step.act === 'move') return ['PATCH', '/api/user/updateLocation', step.to]
  if (step.act === 'pool') return ['POST', '/api/pool', { maxDistanceKm: step.km }]
  if (step.act === 'decide') return ['PUT', `/api/decisions/${victim.id}`, { decision: step.decision }]
  if (step.act === 'undo') return ['POST', '/api/decisions/undo']
  if (step.act === 'block') return ['PUT', `/api/blocks/${victim.id}`]
  if (step.act === 'unblock') return ['DELETE', `/api/blocks/${victim.id}`]
  if (step.act !== 'filter') return undefined
  const [ageMin, ageMax] = step.ages
  return ['PATCH', '/api/user/updateUser', { maxDistanceKm: step.km, ageMin, ageMax }]
}

/** Runs one step in one world. What the victim sees doesn't matter and isn't recorded. */
async function act(world: World, step: Step, { victim, attackers, published }: Scene): Promise<void> {
  const attacker = attackers['who' in step ? step.who : 0] as Twin
  const request = requestOf(step, victim)
  if (request) return call(world, attacker, ...request)
  switch (step.act) {
    case 'probe':
      await call(world, attacker, 'PATCH', '/api/user/updateLocation', beyondEdge(published, step))
      await call(world, attacker, 'GET', `/api/user/${victim.id}`)
      return nearby(world, attacker, 50)
    case 'nearby':
      return nearby(world, attacker, step.limit)
    case 'connect':
      return ask(world, attacker, 'get_conversations')
    case 'write':
      return ask(world, attacker, 'send_message', message(attacker, victim, world.lines.length))
    case 'read':
      return ask(world, attacker, 'mark_as_read', { conversationId: victim.id, userId: attacker.id })
    case 'type':
      return ask(world, attacker, 'typing', { to: victim.id })
    default:
      return actAsVictim(world, step, { victim, attacker })
  }
}

async function actAsVictim(world: World, step: Step, { victim, attacker }: { victim: Twin; attacker: Twin }) {
  const unseen = { ...world, lines: [] }
  if (step.act === 'connected') await ask(unseen, victim, 'get_conversations')
  if (step.act !== 'answered') return
  if (step.how === 'like') await call(unseen, victim, 'PUT', `/api/decisions/${attacker.id}`, { decision: 'like' })
  if (step.how === 'block') await call(unseen, victim, 'PUT', `/api/blocks/${attacker.id}`)
  if (step.how === 'write')
    await ask(unseen, victim, 'send_message', message(victim, attacker, 1_000 + world.lines.length))
}

/** Replaces ids generated by the server with their order; people's ids are the same in both worlds. */
function named(lines: readonly string[], known: ReadonlySet<string>): string[] {
  const names = new Map<string, string>()
  return lines.map((line) =>
    line.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
      if (!known.has(id) && !names.has(id)) names.set(id, `id-${names.size}`)
      return names.get(id) ?? id
    }),
  )
}

/**
 * The distinct events that the attackers' connections received. Repetitions are dropped, because timers decide how
 * often presence is sent.
 */
function heardBy({ wires }: World, attackers: readonly Twin[]): string[] {
  const told = attackers.flatMap(({ id }) =>
    (wires.get(id)?.heard ?? []).map(({ event, payload }) => `${id} heard ${event} ${JSON.stringify(payload)}`),
  )
  return [...new Set(told)].sort()
}

export async function play(
  stage: Stage,
  script: readonly Step[],
  known: ReadonlySet<string>,
): Promise<[string[], string[]]> {
  const { twins, victim, attackers, pairs } = stage
  const worlds = twins.worlds.map((app): World => ({ app, lines: [], wires: new Map() })) as [World, World]
  const moveTo = async (pair: readonly [Place, Place]) => {
    for (const [place, { app, wires }] of worlds.entries())
      await call({ app, wires, lines: [] }, victim, 'PATCH', '/api/user/updateLocation', pair[place])
  }
  const middleOf = ([{ latitude, longitude }]: readonly [Place, Place]) => snap(latitude, longitude)
  let place = pairs[0] as readonly [Place, Place]
  let published = middleOf(place)
  await moveTo(place)
  for (const step of script) {
    await twins.rest()
    if (step.act === 'moved') {
      place = pairs[step.place % pairs.length] as readonly [Place, Place]
      await moveTo(place)
    } else if (step.act === 'passing') {
      await twins.pass(minutes(step.minutes))
      if (step.minutes > 30) published = middleOf(place)
    } else await Promise.all(worlds.map((world) => act(world, step, { victim, attackers, published })))
  }
  await twins.rest()
  if (worlds.some(({ wires }) => wires.size > 0)) await new Promise((resolve) => setTimeout(resolve, 300))
  const transcripts = worlds.map((world) => named([...world.lines, ...heardBy(world, attackers)], known))
  for (const { wires } of worlds) for (const wire of wires.values()) wire.close()
  return transcripts as [string[], string[]]
}

/** Whether both points are assigned to the same cell, whichever cell the person came from. */
export function areAlike([one, other]: readonly [Place, Place], from: readonly string[]): boolean {
  return [undefined, ...from].every(
    (old) => snap(one.latitude, one.longitude, old).cell === snap(other.latitude, other.longitude, old).cell,
  )
}
