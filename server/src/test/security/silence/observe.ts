import { randomUUID } from 'node:crypto'
import { readContent } from '../../../features/data-rights/export-content.ts'
import type { Answer } from '../../people.ts'
import { openWire, type Wire } from '../wire.ts'
import type { Pair } from './pair.ts'

export type Looks = Record<string, string>

const shown = ({ status, body }: Answer<object>): string => JSON.stringify({ status, body })

/** Repeats a request that a busy machine rejected, which is safe because it changes nothing. */
async function answered(question: () => Promise<Answer<object>>): Promise<Answer<object>> {
  for (;;) {
    const answer = await question()
    if (answer.status < 500) return answer
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Parts that differ every time, such as request ids, signatures and cursors. */
const fresh = /"requestId":"[^"]*"|\?[^"]*signature=[^"]*|"(nextC|c)ursor":"[^"]*"|"url":"[^"]*"/g

export async function cursorOf({ app, observer }: Pair): Promise<string> {
  const wire = await openWire(app.url, observer.token)
  const { cursor } = (await wire.ask('get_conversations')) as { cursor: string }
  wire.close()
  return cursor
}

/** The observer's current export, without when and where they were last active. */
async function exportOf({ owner, observer }: Pair): Promise<string> {
  const { sessions: _, location: __, profile, ...content } = await readContent(owner.db, observer.id)
  return JSON.stringify({ ...content, profile: profile?.map(({ lastActiveAt: _, ...row }) => row) })
}

/** Reads every view in a fixed order, including as a new device with an earlier cursor. */
export async function look(pair: Pair, since: string): Promise<Looks> {
  const { app, actor, observer } = pair
  const about = { params: { userId: actor.id } }
  const wire = await openWire(app.url, observer.token)
  const synced = (await wire.ask('get_conversations', { since })) as { cursor: string }
  const list = await heard(wire, 'user_online')
  const rows = wire.heard.find(({ event }) => event === 'conversations')?.payload
  wire.close()
  const questions: Record<string, () => Promise<Answer<object>>> = {
    history: () => observer.call('GET /api/messages/history'),
    thread: () => observer.call('GET /api/conversations/:userId/messages', { ...about, query: {} }),
    changes: () => observer.call('GET /api/conversations/:userId/changes', { ...about, query: { after: 0, since: 0 } }),
    search: () => observer.call('GET /api/messages/search', { query: { query: 'Hello' } }),
    notifications: () => observer.call('GET /api/notifications'),
    likes: () => observer.call('GET /api/likes'),
    liked: () => observer.call('GET /api/decisions', { query: { decision: 'like' } }),
    passed: () => observer.call('GET /api/decisions', { query: { decision: 'pass' } }),
    matches: () => observer.call('GET /api/matches'),
    past: () => observer.call('GET /api/reports/past-contacts', { query: {} }),
    nearby: () => observer.call('GET /api/user/nearBy'),
    page: () => observer.call('GET /api/user/:id', { params: { id: actor.id } }),
    deck: () => observer.call('GET /api/deck'),
    pool: () => observer.call('POST /api/pool', { body: {} }),
    blocks: () => observer.call('GET /api/blocks'),
    dates: () => observer.call('GET /api/dates'),
    own: () => observer.call('GET /api/user/myDetails'),
  }
  const { cursor: _, ...told } = synced
  const looks = { online: JSON.stringify(list), list: JSON.stringify({ ...told, rows }) }
  for (const [name, question] of Object.entries(questions))
    Object.assign(looks, { [name]: shown(await answered(question)) })
  // Comes last, so that the export includes what the observer was shown by the other views.
  Object.assign(looks, { export: await exportOf(pair) })
  return plain(looks, pair)
}

const name = (text: string, { actor, observer }: Pair): string =>
  text.replaceAll(actor.id, 'ACTOR').replaceAll(observer.id, 'OBSERVER').replace(fresh, '')

const plain = (looks: Looks, pair: Pair): Looks =>
  Object.fromEntries(Object.entries(looks).map(([key, text]) => [key, name(text, pair)]))

async function heard(wire: Wire, event: string): Promise<unknown> {
  for (;;) {
    const found = wire.heard.find((one) => one.event === event)
    if (found) return found.payload
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Tries everything the observer can do with the actor; the responses must not reveal why a person is gone either. */
export async function probe(pair: Pair): Promise<string[]> {
  const { app, actor, observer } = pair
  const about = { params: { userId: actor.id } }
  const message = { params: { userId: actor.id, seq: 1 } }
  const wire = await openWire(app.url, observer.token)
  const sent = { id: randomUUID(), message: 'Are you there?', senderId: observer.id, receiverId: actor.id }
  const report = { userId: actor.id, subject: { kind: 'profile' as const }, reason: 'spam' as const }
  const acks = [
    await wire.ask('typing', { to: actor.id }),
    await wire.ask('mark_as_read', { conversationId: actor.id, userId: observer.id }),
    await wire.ask('mark_as_delivered', { conversationId: actor.id, upToSeq: 9 }),
    await wire.ask('get_or_create_conversation', { withUser: actor.id }),
    await wire.ask('send_message', sent),
  ]
  wire.close()
  const decide = (decision: 'like' | 'pass') =>
    observer.call('PUT /api/decisions/:userId', { ...about, body: { decision } })
  const answers = [
    await decide('like'),
    await decide('pass'),
    await observer.call('PATCH /api/conversations/:userId/messages/:seq', { ...message, body: { message: 'Other' } }),
    await observer.call('DELETE /api/conversations/:userId/messages/:seq', message),
    await observer.call('PUT /api/conversations/:userId/messages/:seq/reaction', { ...message, body: { emoji: '❤️' } }),
    await observer.call('PATCH /api/conversations/:userId', { ...about, body: { muted: true } }),
    await observer.call('DELETE /api/conversations/:userId', about),
    await observer.call('DELETE /api/matches/:userId', about),
    await observer.call('DELETE /api/decisions/:userId', about),
    await observer.call('POST /api/decisions/undo'),
    await observer.call('PUT /api/blocks/:userId', about),
    await observer.call('GET /api/blocks'),
    await observer.call('DELETE /api/blocks/:userId', about),
    await observer.call('GET /api/user/:id', { params: { id: actor.id } }),
  ]
  const reported = `report ${shown(await observer.call('POST /api/reports', { body: report }))}`
  const lines = [...acks.map((ack) => JSON.stringify(ack)), ...answers.map(shown), reported]
  return lines.map((line) => unplaced(name(line, pair).replace(/"receipt":"[^"]*"/, '')))
}

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
/** Removes what always differs between two pairs of people: places, times, ids. */
export function unplaced(line: string): string {
  return line
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/\\?"area\\?":\\?"[^"]*"|"(latitude|longitude|distanceKm)":[-\d.]+|"email":"[^"]*"/g, '')
    .replace(uuid, 'ID')
}

/** Summarizes an event in one word. For `user_online`, the word shows whether the actor is listed. */
function wordOf({ event, payload }: { event: string; payload: unknown }, { actor }: Pair): string {
  if (event === 'user_online') return JSON.stringify(payload).includes(actor.id) ? 'online' : 'offline'
  if (event === 'notification') return `notification:${(payload as { kind: string }).kind}`
  return event
}

/** What the observer's device has received since it connected, as summaries and in full. */
export interface Heard {
  words: string[]
  lines: string[]
}

/** `user_online` comes last, because its position among the other events varies. */
export function heardSince(pair: Pair, start: number): Heard {
  const all = pair.observers?.heard.slice(start) ?? []
  const isOnline = ({ event }: { event: string }) => event === 'user_online'
  const found = [...all.filter((one) => !isOnline(one)), ...all.filter(isOnline)]
  return {
    words: found.map((one) => wordOf(one, pair)),
    lines: found.map(({ event, payload }) => unplaced(name(`${event} ${JSON.stringify(payload)}`, pair))),
  }
}

/** Sends an event to every observer and waits for it, to be sure that all earlier events have arrived. */
export async function marked(pairs: readonly Pair[]): Promise<void> {
  for (const { app, observer, observers } of pairs) {
    if (!observers) continue
    const senderId = randomUUID()
    app.platform.realtime.publish([observer.id], 'stop_typing', { senderId })
    const isMark = ({ payload }: { payload: unknown }) => (payload as { senderId?: string }).senderId === senderId
    while (!observers.heard.some(isMark)) await new Promise((resolve) => setTimeout(resolve, 5))
    observers.heard.splice(observers.heard.findIndex(isMark), 1)
  }
}
