import { randomUUID } from 'node:crypto'
import { type Line, openLine } from '../../../tools/line.ts'
import { written } from '../chat/crowd.ts'
import type { Person } from './version.ts'

export const day = {
  starts: 2,
  decks: 20,
  decisionsADeck: 3,
  nearbys: 3,
  messages: 30,
  photos: 80,
  connectedMinutes: 10,
}

/** A person and their chat partner. Each of them looks at the other's photo. */
export interface Dayfly extends Person {
  peer: Person
  /** URLs of the partner's photos, one size each. */
  photos: string[]
}

export interface Place {
  base: string
  port: number
}

async function asked({ base }: Place, token: string, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, ...init.headers }
  const answer = await fetch(base + path, { ...init, headers })
  if (!answer.ok) throw new Error(`${init.method ?? 'GET'} ${path}: ${answer.status} ${await answer.text()}`)
  return answer
}

/** Sends a request as a browser does, accepting a compressed response. */
export const ask = async <T>(place: Place, token: string, path: string, init: RequestInit = {}): Promise<T> =>
  (await (await asked(place, token, path, init)).json()) as T

const heard = { onEvent: () => undefined, onClosed: () => undefined }
export const connect = ({ port }: Place, token: string): Promise<Line> => openLine(port, token, heard)

const acknowledged = (line: Line, event: string, payload: string) =>
  new Promise<void>((resolve, reject) =>
    line.send(event, payload, (ok, text) => (ok ? resolve() : reject(new Error(`${event}: ${text}`)))),
  )

/** Opens the app: loads the page, the person's own profile and the conversations, and connects. */
async function start(place: Place, { token }: Dayfly): Promise<void> {
  await (await asked(place, token, '/home')).text()
  await ask(place, token, '/api/user/myDetails')
  const line = await connect(place, token)
  await acknowledged(line, 'get_conversations', '{}')
  line.close()
}

/**
 * Decides on the deck's cards while connected, and likes one in three. Returns the share that was done, because a deck
 * may run out.
 */
async function decide(place: Place, { token }: Dayfly): Promise<number> {
  const line = await connect(place, token)
  let decisions = 0
  for (let nth = 0; nth < day.decks; nth++) {
    const { cards } = await ask<{ cards: { id: string }[] }>(place, token, '/api/deck')
    for (const [at, { id }] of cards.slice(0, day.decisionsADeck).entries()) {
      const body = JSON.stringify({ decision: at === 0 ? 'like' : 'pass' })
      const headers = { 'content-type': 'application/json' }
      await ask(place, token, `/api/decisions/${id}`, { method: 'PUT', headers, body })
      decisions++
    }
    if (cards.length < day.decisionsADeck) break
  }
  line.close()
  return decisions / (day.decks * day.decisionsADeck)
}

async function lookAround(place: Place, { token }: Dayfly): Promise<void> {
  for (let nth = 0; nth < day.nearbys; nth++) await ask(place, token, '/api/user/nearBy')
}

const text = 'Shall we have a look at the flower market on Saturday?'

async function write(place: Place, { id, token, peer }: Dayfly): Promise<void> {
  const [own, other] = await Promise.all([connect(place, token), connect(place, peer.token)])
  for (let nth = 0; nth < day.messages; nth++) {
    own.send('typing', JSON.stringify({ to: peer.id }), () => undefined)
    await acknowledged(own, 'send_message', written({ id, token, peerId: peer.id }, randomUUID(), text))
    await acknowledged(other, 'mark_as_read', JSON.stringify({ conversationId: id, userId: peer.id }))
  }
  own.close()
  other.close()
}

async function lookAtPhotos(place: Place, { token, photos }: Dayfly): Promise<void> {
  for (let nth = 0; nth < day.photos; nth++)
    await (await asked(place, token, photos[nth % photos.length] ?? '')).arrayBuffer()
}

const whole =
  (act: (place: Place, person: Dayfly) => Promise<void>, times = 1) =>
  async (place: Place, person: Dayfly) => {
    for (let nth = 0; nth < times; nth++) await act(place, person)
    return 1
  }

/**
 * The parts of a day, each of which returns the share that was done. Incoming messages aren't simulated separately,
 * because the partners send as many.
 */
export const parts: Record<string, (place: Place, person: Dayfly) => Promise<number>> = {
  starts: whole(start, day.starts),
  decks: decide,
  nearby: whole(lookAround),
  messages: whole(write),
  photos: whole(lookAtPhotos),
}
