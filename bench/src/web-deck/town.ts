import sharp from 'sharp'
import type { Duet } from '../../../tools/server.ts'

export interface Resident {
  id: string
  token: string
}

async function send<T>(duet: Duet, method: string, path: string, body: object, token?: string): Promise<T> {
  const isForm = body instanceof FormData
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(!isForm && { 'content-type': 'application/json' }),
  }
  const answer = await fetch(duet.baseURL + path, { method, headers, body: isForm ? body : JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

export async function signUp(duet: Duet, name: string): Promise<Resident> {
  const email = `${name.toLowerCase()}@example.com`
  await send(duet, 'POST', '/api/user/requestOtp', { email })
  const otp = await duet.outbox(email)
  return send(duet, 'POST', '/api/user/register', { email, otp, name, birthDate: '1990-01-01', acceptTerms: true })
}

// Draws noise, because a plain colour would decode faster than a photo.
const photograph = (seed: number) =>
  sharp({
    create: {
      ...{ width: 900, height: 1200, channels: 3, background: { r: (seed * 53) % 255, g: 120, b: (seed * 91) % 255 } },
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .blur(2)
    .jpeg()
    .toBuffer()

const place = { latitude: -36.85, longitude: 174.76 }
const profile = {
  ...{ gender: 'woman', interestedIn: ['woman', 'man', 'nonbinary'], intents: ['relationship'] },
  ...{ bio: 'I know every bench with a view in this town.', interests: ['cats', 'long_walks', 'cooking'] },
  prompts: [{ prompt: 'proud_of', answer: 'I built my own table.' }],
}

export async function resident(duet: Duet, name: string, seed: number): Promise<Resident> {
  const person = await signUp(duet, name)
  await send(duet, 'PATCH', '/api/user/updateLocation', place, person.token)
  await send(duet, 'PATCH', '/api/user/updateUser', profile, person.token)
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(await photograph(seed))], { type: 'image/jpeg' }), 'photo.jpg')
  await send(duet, 'PATCH', `/api/user/${person.id}/image`, form, person.token)
  return person
}

export const like = (duet: Duet, from: Resident, to: Resident) =>
  send(duet, 'PUT', `/api/decisions/${to.id}`, { decision: 'like' }, from.token)
