import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type pg from 'pg'
import sharp from 'sharp'
import { seedSessions } from '../../../server/src/demo/population.ts'
import { connectOwner } from '../../../server/src/platform/database/database.ts'
import { each } from '../../../tools/each.ts'
import { openLine } from '../../../tools/line.ts'
import { written } from '../chat/crowd.ts'

/** A signed-in person with conversations, a photo, and undecided people in their deck. */
export interface Viewer {
  id: string
  token: string
  photo: string
  others: string[]
}

/** Someone with fewer people nearby isn't used as a viewer. */
const fewestOthers = 10
/** Each viewer chats with this many viewers after them in the list, and with as many before them. */
const someTalks = { peers: 5, messages: 10 }
const manyTalks = { peers: 25, messages: 2 }

const photo = () =>
  sharp({
    create: {
      width: 1080,
      height: 1350,
      channels: 3,
      background: '#a5583b',
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  })
    .blur(4)
    .jpeg()
    .toBuffer()

export interface Asking {
  base: string
  port: number
}

async function ask<T>({ base }: Asking, token: string, path: string, init: RequestInit = {}): Promise<T> {
  const answer = await fetch(base + path, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } })
  if (!answer.ok) throw new Error(`${init.method ?? 'GET'} ${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

/** Lets both people of each pair write in turns, so that every conversation has an answer. */
async function talk(
  { port }: Asking,
  people: readonly { id: string; token: string }[],
  { peers, messages }: typeof someTalks,
): Promise<void> {
  const lines = await Promise.all(
    people.map(({ token }) => openLine(port, token, { onEvent: () => undefined, onClosed: () => undefined })),
  )
  const say = (from: number, to: number) =>
    new Promise<void>((resolve, reject) => {
      const talker = { id: people[from]?.id ?? '', token: '', peerId: people[to]?.id ?? '' }
      const text = written(talker, randomUUID(), 'Shall we have a look at the flower market on Saturday?')
      lines[from]?.send('send_message', text, (ok) => (ok ? resolve() : reject(new Error('a message was refused'))))
    })
  await each(people, 20, async (_, from) => {
    for (let next = 1; next <= peers; next++) {
      const to = (from + next) % people.length
      for (let nth = 0; nth < messages; nth++) await (nth % 2 === 0 ? say(from, to) : say(to, from))
    }
  })
  for (const line of lines) line.close()
}

async function addPhoto(asking: Asking, viewer: { id: string; token: string }, file: Buffer): Promise<void> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(file)]), 'me.jpg')
  await ask(asking, viewer.token, `/api/user/${viewer.id}/image`, { method: 'PATCH', body: form })
}

/** Returns the URL of the person's photo, which is valid for an hour. */
async function photoOf(asking: Asking, token: string): Promise<string> {
  const { photos } = await ask<{ photos: { url: string }[] }>(asking, token, '/api/user/myDetails')
  return photos[0]?.url ?? ''
}

/**
 * Returns the people in the viewer's deck and so makes the server store it. Empty for paused viewers, who can't like.
 */
async function deckOf(asking: Asking, owner: pg.Pool, { id, token }: { id: string; token: string }): Promise<string[]> {
  await ask(asking, token, '/api/deck')
  const { rows } = await owner.query<{ id: string }>(
    `select slot ->> 'id' as id from decks, jsonb_array_elements(slots) slot where user_id = $1
       and not exists (select from profiles where user_id = $1 and paused)`,
    [id],
  )
  return rows.map((row) => row.id)
}

export const makeManyTalks = (asking: Asking, viewers: readonly Viewer[]) => talk(asking, viewers, manyTalks)

type Kept = Omit<Viewer, 'photo'>

/**
 * Returns `count` signed-in viewers with conversations, a photo and a deck, either from the file `keptIn` or newly
 * created.
 */
export async function setScene(
  asking: Asking,
  ownerConfig: pg.ClientConfig,
  { count, keptIn }: { count: number; keptIn: string },
): Promise<Viewer[]> {
  if (!existsSync(keptIn)) writeFileSync(keptIn, JSON.stringify(await makeScene(asking, ownerConfig, count)))
  const kept: Kept[] = JSON.parse(readFileSync(keptIn, 'utf8'))
  return Promise.all(kept.map(async (viewer) => ({ ...viewer, photo: await photoOf(asking, viewer.token) })))
}

async function makeScene(asking: Asking, ownerConfig: pg.ClientConfig, count: number): Promise<Kept[]> {
  const { db, pool } = connectOwner(ownerConfig, () => undefined)
  try {
    // Sign in more people than needed, because some have nobody nearby.
    const signedIn = await seedSessions(db, count * 5, 1)
    const viewers: Kept[] = []
    const file = await photo()
    for (const person of signedIn) {
      if (viewers.length === count) break
      const others = await deckOf(asking, pool, person)
      if (others.length < fewestOthers) continue
      await addPhoto(asking, person, file)
      viewers.push({ ...person, others })
    }
    if (viewers.length < count) throw new Error(`only ${viewers.length} of ${count} viewers have a deck`)
    await talk(asking, viewers, someTalks)
    await pool.query('vacuum analyze')
    await pool.query('checkpoint')
    return viewers
  } finally {
    await pool.end()
  }
}
