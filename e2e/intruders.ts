import { randomUUID } from 'node:crypto'
import { io } from 'socket.io-client'
import type { Duet } from '../tools/server.ts'
import { injections, pack } from './injections.ts'
import { type Someone, someone, wellington } from './people.ts'

/** A person all of whose texts are injections, with the texts by place. */
export interface Intruder extends Someone {
  page: string[]
  comment: string
  messages: string[]
  edited: string
  details: string
  statement: string
  appeal: string
}

export async function ask<T>(duet: Duet, who: Someone, method: string, path: string, body?: unknown): Promise<T> {
  const isForm = body instanceof FormData
  const response = await fetch(duet.baseURL + path, {
    method,
    headers: {
      authorization: `Bearer ${who.token}`,
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

const prompts = ['proud_of', 'argue_about', 'perfect_sunday'] as const
const short = injections.filter((text) => text.length <= 40)
const shortAt = (n: number) => short[n % short.length] ?? ''

/** Fills a profile with injections: name, gender, pronouns, bio, prompts, and a photo with its name and description. */
async function fillPage(duet: Duet, n: number, own: readonly string[], picture: Buffer) {
  const bio = pack(own, 500)
  let left = bio.rest
  const answers = prompts.map((prompt) => {
    const { packed, rest } = pack(left.length > 0 ? left : own, 300)
    if (left.length > 0) left = rest
    return { prompt, answer: packed }
  })
  const [genderText, pronouns] = [shortAt(7 * n + 1), shortAt(7 * n + 2)]
  const who = await someone(duet, shortAt(7 * n), {
    at: wellington,
    profile: { gender: 'man', genderText, pronouns, bio: bio.packed, prompts: answers },
  })
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(picture)], { type: 'image/jpeg' }), `${shortAt(7 * n + 3)}.jpg`)
  form.set('name', shortAt(7 * n + 3))
  const { images } = await ask<{ images: string[] }>(duet, who, 'PATCH', `/api/user/${who.id}/image`, form)
  const [fileName = ''] = images
  await ask(duet, who, 'PATCH', `/api/photos/${fileName}`, { alt: pack(own.toReversed(), 200).packed })
  const page = [genderText, pronouns, bio.packed, ...answers.map(({ answer }) => answer)]
  return { who, page, left }
}

/** Sends each injection as a message, then edits the last message to contain all of them. */
async function write(
  duet: Duet,
  from: Someone,
  to: Someone,
  texts: readonly string[],
  edited: string,
): Promise<number> {
  const socket = io(duet.baseURL, { auth: { token: from.token }, forceNew: true })
  let seq = 0
  for (const message of [...texts, 'To be edited']) {
    const outgoing = { id: randomUUID(), senderId: from.id, receiverId: to.id, message }
    const answer = (await socket.emitWithAck('send_message', outgoing)) as { ok: boolean; message?: { seq: number } }
    if (!answer.ok) throw new Error(`was refused: ${JSON.stringify([message, answer])}`)
    seq = answer.message?.seq ?? 0
  }
  socket.disconnect()
  await ask(duet, from, 'PATCH', `/api/conversations/${to.id}/messages/${seq}`, { message: edited })
  return seq
}

interface Stage {
  duet: Duet
  victim: Someone
  boss: Someone
  picture: Buffer
}

/** Lets one of `count` intruders like the victim and write to them, then be reported and warned, and appeal. */
export async function intrude({ duet, victim, boss, picture }: Stage, n: number, count: number): Promise<Intruder> {
  const own = injections.filter((_, place) => place % count === n)
  const { who, page, left } = await fillPage(duet, n, own, picture)
  if (left.length > 0) throw new Error(`no room on a page for ${left.join(' ')}`)
  const comment = pack(own.toReversed(), 300).packed
  await ask(duet, who, 'PUT', `/api/decisions/${victim.id}`, { decision: 'like', comment })
  const edited = pack(own, 2000).packed
  const seq = await write(duet, who, victim, own, edited)
  const details = pack(own, 1000).packed
  const report = { userId: who.id, subject: { kind: 'message', seq }, reason: 'scam', details }
  await ask(duet, victim, 'POST', '/api/reports', report)
  const ruling = { action: 'warn', ground: 'spam', statement: edited, note: pack(own, 500).packed }
  const second = { userId: who.id, subject: { kind: 'profile' }, reason: 'spam', details }
  const { receipt } = await ask<{ receipt: string }>(duet, victim, 'POST', '/api/reports', second)
  await ask(duet, boss, 'POST', `/api/admin/reports/${receipt}/decision`, ruling)
  const { sanctions } = await ask<{ sanctions: { id: string }[] }>(duet, who, 'GET', '/api/standing')
  const appeal = pack(own.toReversed(), 2000).packed
  await ask(duet, who, 'POST', '/api/appeals', { sanctionId: sanctions[0]?.id, text: appeal })
  return { ...who, page, comment, messages: own, edited, details, statement: edited, appeal }
}
