import { randomUUID } from 'node:crypto'
import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import sharp from 'sharp'
import { io, type Socket } from 'socket.io-client'
import type { Duet } from '../tools/server.ts'

export interface Someone {
  id: string
  name: string
  email: string
  token: string
  isSuperAdmin: boolean
}

/** A place outside the demo world. */
export const wellington = { latitude: -41.2866, longitude: 174.7756 }

async function ask<T>(duet: Duet, method: string, path: string, body: unknown, token?: string): Promise<T> {
  const isForm = body instanceof FormData
  const response = await fetch(duet.baseURL + path, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(!isForm && { 'content-type': 'application/json' }),
    },
    body: isForm ? body : JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

interface Wanted {
  profile?: Record<string, unknown>
  at?: { latitude: number; longitude: number }
  photo?: string
  email?: string
}

export async function someone(
  duet: Duet,
  name: string,
  { profile, at, photo, email = `${randomUUID()}@example.com` }: Wanted = {},
): Promise<Someone> {
  await ask(duet, 'POST', '/api/user/requestOtp', { email })
  const otp = await duet.outbox(email)
  const registration = { email, otp, name, birthDate: '1994-05-17', acceptTerms: true, password: 'a long password' }
  const session = await ask<Someone>(duet, 'POST', '/api/user/register', registration)
  if (at) await ask(duet, 'PATCH', '/api/user/updateLocation', at, session.token)
  if (profile) await ask(duet, 'PATCH', '/api/user/updateUser', profile, session.token)
  if (photo) await addPhoto(duet, session, await picture(photo))
  return session
}

export async function addPhoto(duet: Duet, { id, token }: Someone, bytes: Buffer): Promise<void> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), 'photo.jpg')
  await ask(duet, 'PATCH', `/api/user/${id}/image`, form, token)
}

export function picture(background: string, width = 600): Promise<Buffer> {
  return sharp({ create: { width, height: (width * 4) / 3, channels: 3, background } })
    .jpeg()
    .toBuffer()
}

const speak = (duet: Duet, { token }: Someone) => io(duet.baseURL, { auth: { token }, forceNew: true })

async function send(socket: Socket, from: Someone, to: Someone, message: string): Promise<void> {
  const ids = { id: randomUUID(), senderId: from.id, receiverId: to.id }
  const answer = (await socket.emitWithAck('send_message', { ...ids, message })) as { ok: boolean }
  if (!answer.ok) throw new Error(`what ${from.name} says was refused`)
}

export async function say(duet: Duet, from: Someone, to: Someone, ...texts: string[]): Promise<void> {
  const socket = speak(duet, from)
  for (const text of texts) await send(socket, from, to, text)
  socket.disconnect()
}

/** Sends several messages without waiting between them, as a client does after a lost connection. */
export async function sayAtOnce(duet: Duet, from: Someone, to: Someone, ...texts: string[]): Promise<void> {
  const socket = speak(duet, from)
  await Promise.all(texts.map((text) => send(socket, from, to, text)))
  socket.disconnect()
}

const signedInAs = (duet: Duet, session: Someone) => ({
  cookies: [],
  origins: [{ origin: duet.baseURL, localStorage: [{ name: 'user', value: JSON.stringify(session) }] }],
})

/** Opens a browser in which a person is signed in, or nobody if `session` is undefined. */
export async function browserOf(
  browser: Browser,
  duet: Duet,
  session: Someone | undefined,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: duet.baseURL,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    ...(session && { storageState: signedInAs(duet, session) }),
    ...options,
  })
  const page = await context.newPage()
  const goto = page.goto.bind(page)
  // When a dialog closes it goes back in the history, which can abort a navigation.
  page.goto = (...to) =>
    goto(...to).catch((error: Error) => {
      if (!error.message.includes('ERR_ABORTED')) throw error
      return goto(...to)
    })
  return page
}
