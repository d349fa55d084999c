import type { Duet } from '../tools/server.ts'
import { test as base, expect } from './fixtures.ts'
import { folder } from './look.ts'
import { addPhoto, picture, type Someone, say, someone } from './people.ts'

export interface Cast {
  ana: Someone
  ben: Someone
}

const noorsWords = {
  gender: 'woman',
  bio: 'Night shifts, strong tea, loud records.',
  interests: ['cats', 'ceramics', 'night_trains'],
  prompts: [{ prompt: 'teach_you', answer: 'To fold a paper boat that floats for an hour.' }],
}
const cleosWords = {
  gender: 'woman',
  bio: 'I repair clocks, and I am never on time.',
  interests: ['long_walks', 'cats'],
  prompts: [
    { prompt: 'perfect_sunday', answer: 'The first tram to its last stop, and home on foot.' },
    { prompt: 'first_round_on_me', answer: 'If you know a word that I have to look up.' },
  ],
}

/** Playwright's test in a demo world with the same people in every file. Each worker starts and fills one server. */
export const test = base.extend<object, { people: Cast }>({
  serverEnvironment: [{ SUPER_ADMIN_EMAIL: 'boss@example.com', DEMO: 'on' }, { scope: 'worker' }],
  people: [async ({ duet }, use) => use(await gather(duet, { demo: true })), { scope: 'worker', timeout: 600_000 }],
})

/**
 * Creates Ana, an administrator, and the people who write to her or like her. In a demo world, they also get faces and
 * neighbours.
 */
export async function gather(duet: Duet, { demo }: { demo: boolean }): Promise<Cast> {
  const at = { latitude: 38.7223, longitude: -9.1393 }
  const ana = await someone(duet, 'Ana', {
    email: 'boss@example.com',
    at,
    profile: {
      gender: 'woman',
      interestedIn: [],
      bio: 'I bake, and I run when no one looks.',
      interests: ['long_walks', 'ceramics', 'cats'],
      prompts: [{ prompt: 'small_joy', answer: 'Bread that cracks when it cools.' }],
    },
  })
  const ben = await someone(duet, 'Ben', {
    at,
    profile: {
      gender: 'man',
      bio: 'Slow mornings, fast bicycles.',
      interests: ['long_walks', 'ceramics', 'night_trains'],
      ...{ heightCm: 184, smoking: 'never', drinking: 'sometimes', languages: ['en', 'pt'] },
      prompts: [
        { prompt: 'proud_of', answer: 'I learned to bake my grandmother’s bread from a photo of her hands.' },
        { prompt: 'argue_about', answer: 'Whether a film can be better than its book.' },
      ],
    },
  })
  await talk(duet, ben, ana)
  const answer = { choice: 'early', accepts: ['early', 'changes'], importance: 'little' }
  await put(duet, ana, '/api/questions/day_rhythm/answer', answer)
  const noor = await someone(duet, 'Noor', { at, profile: noorsWords })
  await say(duet, noor, ana, 'Could you lend me 200 euros until Friday?')
  const cleo = await someone(duet, 'Cleo', { at, profile: cleosWords, ...(!demo && { photo: '#6b7fa5' }) })
  await like(duet, cleo, ana)
  if (!demo) {
    await addPhoto(duet, ben, await picture('#3b6ea5'))
    // Dora's card is next to Cleo's, which is taller because it has a comment.
    const dora = await someone(duet, 'Dora', { at, profile: { gender: 'woman' }, photo: '#7a5c3b' })
    await put(duet, dora, `/api/decisions/${ana.id}`, { decision: 'like' })
    return { ana, ben }
  }
  await expect.poll(() => countNearby(duet, ana), { timeout: 300_000 }).toBeGreaterThan(folder ? 30 : 6)
  await wearPortraits(duet, [ana, noor, cleo], 'woman')
  await wearPortraits(duet, [ben], 'man')
  return { ana, ben }
}

async function get<T>(duet: Duet, { token }: Someone, path: string): Promise<T> {
  const response = await fetch(duet.baseURL + path, { headers: { authorization: `Bearer ${token}` } })
  return (await response.json()) as T
}

interface Card {
  id: string
  gender: string
  photos: { url: string }[]
}

/** Gives each person a demo person's face, so that pictures look like the product in use. */
async function wearPortraits(duet: Duet, people: readonly Someone[], gender: string): Promise<void> {
  const [viewer] = people as [Someone]
  const bare = [...people]
  const { users } = await get<{ users: Card[] }>(duet, viewer, '/api/user/nearBy?limit=50')
  for (const { id } of users.reverse()) {
    const card = await get<Card>(duet, viewer, `/api/user/${id}`)
    const [photo] = card.photos
    if (card.gender !== gender || !photo) continue
    const someone = bare.shift()
    if (!someone) return
    const response = await fetch(duet.baseURL + photo.url)
    await addPhoto(duet, someone, Buffer.from(await response.arrayBuffer()))
  }
  if (bare.length > 0) throw new Error(`too few ${gender} portraits live near`)
}

async function put(duet: Duet, { token }: Someone, path: string, body: object): Promise<void> {
  const response = await fetch(duet.baseURL + path, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`PUT ${path} was refused: ${await response.text()}`)
}

const like = (duet: Duet, from: Someone, { id }: Someone) => {
  const item = { kind: 'prompt', prompt: 'small_joy' }
  return put(duet, from, `/api/decisions/${id}`, { decision: 'like', item, comment: 'Is it still warm?' })
}

/** Demo people appear gradually because their portraits are drawn one by one. */
async function countNearby(duet: Duet, viewer: Someone): Promise<number> {
  return (await get<{ users: Card[] }>(duet, viewer, '/api/user/nearBy?limit=50')).users.length
}

async function talk(duet: Duet, ben: Someone, ana: Someone): Promise<void> {
  const { io } = await import('socket.io-client')
  const socketOf = (person: Someone) => io(duet.baseURL, { auth: { token: person.token }, forceNew: true })
  const [bens, anas] = [socketOf(ben), socketOf(ana)]
  const say = (from: Someone, to: Someone, socket: typeof bens, message: string) =>
    socket.emitWithAck('send_message', { id: crypto.randomUUID(), message, senderId: from.id, receiverId: to.id })
  await say(ben, ana, bens, 'Bold opening. I respect it, and you are wrong.')
  await say(ana, ben, anas, 'Saturday? I am free after five.')
  await say(ben, ana, bens, 'Saturday works.')
  await say(ben, ana, bens, 'The little place by the canal? They do coffee until late.')
  bens.disconnect()
  anas.disconnect()
}
