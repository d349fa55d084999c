import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { io, type Socket } from 'socket.io-client'
import type { Duet } from '../tools/server.ts'
import { tier } from '../tools/tier.ts'
import { expect, test } from './fixtures.ts'

// A client written from the documentation alone: plain fetch, multipart and socket.io-client against the running
// server. The long suite runs it against the release, on a machine that has only Node. The quick suite sets no option,
// so that these tests share a server with the journeys.
if (tier !== 'quick') test.use({ released: true })

interface Json {
  // biome-ignore lint/suspicious/noExplicitAny: an outsider knows no types.
  [key: string]: any
}

interface Reply {
  status: number
  body: Json
}

async function ask(url: string, method: string, path: string, body?: unknown, token?: string): Promise<Reply> {
  const headers: Record<string, string> = {}
  if (token) headers.authorization = `Bearer ${token}`
  if (body !== undefined && !(body instanceof FormData)) headers['content-type'] = 'application/json'
  const payload = body === undefined || body instanceof FormData ? (body ?? null) : JSON.stringify(body)
  const response = await fetch(url + path, { method, headers, body: payload })
  const text = await response.text()
  return { status: response.status, body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : { text } }
}

async function signUp(duet: Duet, name: string): Promise<Json> {
  const email = `${randomUUID()}@example.com`
  const requested = await ask(duet.baseURL, 'POST', '/api/user/requestOtp', { email })
  expect(requested).toEqual({ status: 202, body: { expiresIn: 600, resendIn: 30 } })
  const otp = await duet.outbox(email)
  const registration = { email, otp, name, birthDate: '1993-04-05', acceptTerms: true, password: 'a long password' }
  const { status, body } = await ask(duet.baseURL, 'POST', '/api/user/register', registration)
  expect(status).toBe(201)
  return body
}

function connect(duet: Duet, token: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = io(duet.baseURL, { auth: { token }, forceNew: true })
    socket.once('connect', () => resolve(socket))
    socket.once('connect_error', reject)
  })
}

const next = (socket: Socket, event: string): Promise<Json> => new Promise((resolve) => socket.once(event, resolve))
const picture = (color: string) =>
  sharp({ create: { width: 640, height: 800, channels: 3, background: color } })
    .jpeg()
    .toBuffer()

test('an outsider can sign up, sign in, sign out and is told in problems what is wrong', {
  tag: '@more-in-long',
}, async ({ duet }) => {
  const ana = await signUp(duet, 'Ana')
  expect(Object.keys(ana).sort()).toEqual([
    'email',
    'id',
    'images',
    'isSuperAdmin',
    'name',
    'onboardingComplete',
    'token',
  ])
  const again = await ask(duet.baseURL, 'POST', '/api/user/authenticate', {
    email: ana.email,
    password: 'a long password',
  })
  expect(again.status).toBe(200)
  expect(again.body.token).not.toBe(ana.token)
  const wrong = await ask(duet.baseURL, 'POST', '/api/user/authenticate', { email: ana.email, password: 'another one' })
  expect(wrong).toMatchObject({ status: 401, body: { code: 'invalid_credentials', status: 401 } })
  expect(await ask(duet.baseURL, 'POST', '/api/user/signOut', undefined, again.body.token)).toMatchObject({
    status: 200,
  })
  expect(await ask(duet.baseURL, 'GET', '/api/user/myDetails', undefined, again.body.token)).toMatchObject({
    status: 401,
  })
  expect(await ask(duet.baseURL, 'GET', '/api/user/myDetails', undefined, ana.token)).toMatchObject({
    status: 200,
    body: { id: ana.id },
  })
})

test('an outsider can fill a profile, add and remove photos, and be found nearby', { tag: '@long' }, async ({
  duet,
}) => {
  const [ana, ben] = [await signUp(duet, 'Ana'), await signUp(duet, 'Ben')]
  for (const { token } of [ana, ben]) {
    const moved = await ask(
      duet.baseURL,
      'PATCH',
      '/api/user/updateLocation',
      { latitude: -41.3, longitude: 174.78 },
      token,
    )
    expect(moved).toMatchObject({ status: 200, body: { area: 'Wellington' } })
  }
  const changed = await ask(
    duet.baseURL,
    'PATCH',
    '/api/user/updateUser',
    { bio: 'I bake.', gender: 'woman' },
    ana.token,
  )
  expect(changed).toMatchObject({ status: 200, body: { bio: 'I bake.', gender: 'woman' } })
  const one = new FormData()
  const file = await picture('#a05030')
  one.set('file', new Blob([new Uint8Array(file)], { type: 'image/jpeg' }), 'me.jpg')
  one.set('size', String(file.length))
  one.set('name', 'me.jpg')
  const added = await ask(duet.baseURL, 'PATCH', `/api/user/${ana.id}/image`, one, ana.token)
  expect(added.status).toBe(200)
  expect(added.body.images).toHaveLength(1)
  const several = new FormData()
  for (const [index, color] of ['#305080', '#308050'].entries()) {
    const bytes = await picture(color)
    several.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), `${index}.jpg`)
    several.append(`size_${index}`, String(bytes.length))
    several.append(`name_${index}`, `${index}.jpg`)
  }
  const more = await ask(duet.baseURL, 'PATCH', `/api/user/${ana.id}/image`, several, ana.token)
  expect(more.body.images).toHaveLength(3)
  const nearby = await ask(duet.baseURL, 'GET', '/api/user/nearBy?limit=50', undefined, ben.token)
  const card = nearby.body.users.find(({ id }: Json) => id === ana.id)
  expect(card).toMatchObject({
    name: 'Ana',
    distanceKm: 2,
    area: 'Wellington',
    bio: 'I bake.',
    images: more.body.images,
  })
  const image = await fetch(duet.baseURL + card.photos[0].url)
  expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/webp'])
  const removed = await ask(
    duet.baseURL,
    'PATCH',
    '/api/user/deleteImage',
    { imageFileName: more.body.images[0] },
    ana.token,
  )
  expect(removed.body.images).toEqual(more.body.images.slice(1))
  expect((await fetch(duet.baseURL + card.photos[0].url)).status).toBe(404)
  expect(await ask(duet.baseURL, 'GET', `/api/user/${ana.id}`, undefined, ben.token)).toMatchObject({
    status: 200,
    body: { id: ana.id },
  })
})

test('two outsiders can chat in real time with every event of the seed', { tag: '@more-in-long' }, async ({ duet }) => {
  const [ana, ben] = [await signUp(duet, 'Ana'), await signUp(duet, 'Ben')]
  const [anaSocket, benSocket] = [await connect(duet, ana.token), await connect(duet, ben.token)]
  let online: Json[] | undefined
  anaSocket.on('user_online', (people) => {
    online = people
  })
  const list = next(anaSocket, 'conversations')
  anaSocket.emit('get_conversations')
  expect(await list).toEqual([])
  expect(await anaSocket.emitWithAck('get_or_create_conversation', { withUser: ben.id })).toEqual({
    id: ben.id,
    messages: [],
    hasMore: false,
  })
  const message = {
    id: String(Date.now()),
    message: 'Hello',
    timestamp: new Date().toISOString(),
    senderId: ana.id,
    receiverId: ben.id,
    status: 'sent',
  }
  const [appeared, arrived] = [next(benSocket, 'conversations'), next(benSocket, 'private message')]
  anaSocket.emit('send_message', message)
  expect(await appeared).toMatchObject([{ id: ana.id, user: { isOnline: true, isTyping: false }, unreadCount: 0 }])
  expect(await arrived).toMatchObject({ ...message, seq: 1, conversationId: ana.id })
  const typing = next(anaSocket, 'typing')
  benSocket.emit('typing', { to: ana.id })
  expect(await typing).toEqual({ senderId: ben.id })
  const stopped = next(anaSocket, 'stop_typing')
  benSocket.emit('stop_typing', { to: ana.id })
  expect(await stopped).toEqual({ senderId: ben.id })
  expect(await benSocket.emitWithAck('mark_as_read', { conversationId: ana.id, userId: ben.id })).toEqual({ ok: true })
  const { body } = await ask(duet.baseURL, 'GET', '/api/messages/history', undefined, ben.token)
  expect(body).toMatchObject([{ id: ana.id, unreadCount: 0, messages: [{ message: 'Hello' }] }])
  await expect.poll(() => online).toEqual([{ id: ben.id }])
  benSocket.disconnect()
  await expect.poll(() => online).toEqual([])
  anaSocket.disconnect()
})

test("an outsider without a valid token can't connect a socket", { tag: '@long' }, async ({ duet }) => {
  await expect(connect(duet, 'wrong')).rejects.toThrow()
})
