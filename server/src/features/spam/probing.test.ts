import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hours } from '../../platform/clock.ts'
import type { TestApp } from '../../test/app.ts'
import { type Caller, caller, type Person, people } from '../../test/people.ts'
import { type Client, connect } from '../../test/sockets.ts'
import { outgoing } from '../../test/talk.ts'
import { startBoth } from './acts.test-spam.ts'

let open: TestApp
let limited: TestApp
let close: () => Promise<void>
beforeAll(async () => {
  ;({ open, limited, close } = await startBoth())
})
afterAll(() => close())

it('A person who guesses ids gets no answers for an hour, while others do.', { tags: 'long' }, async () => {
  const [ana, ben] = (await people(open, 2)) as [Person, Person]
  const [hers, his] = [caller(limited.url, ana.token), caller(limited.url, ben.token)]
  const looks = (who: Caller, id: string) => statusOf(() => who.send('GET', `/api/user/${id}`))
  const reads = (who: Caller, id: string) => statusOf(() => who.send('GET', `/api/conversations/${id}/messages`))
  const guesses = []
  for (let count = 0; count < 302; count++) guesses.push(await reads(hers, randomUUID()))
  expect(guesses.slice(0, 301)).toEqual(Array(301).fill(404))
  expect(guesses.at(-1)).toBe(429)
  expect(await looks(hers, ben.id)).toBe(429)
  expect(await statusOf(() => hers.send('GET', '/api/notifications'))).toBe(200)
  expect(await looks(his, ana.id)).toBe(200)
  open.clock.advance(hours(1) + 1_000)
  expect(await looks(hers, ben.id)).toBe(200)
})

it('Guesses over a socket count like those over HTTP and have the same result.', { tags: 'long' }, async () => {
  const [eve, fay] = (await people(open, 2)) as [Person, Person]
  const socket = await connect(limited, eve)
  const guesses = []
  for (let count = 0; count < 301; count++) {
    const [name, payload] = [
      ['mark_as_delivered', { conversationId: randomUUID(), upToSeq: 1 }] as const,
      ['mark_as_read', { conversationId: randomUUID(), userId: eve.id }] as const,
    ][count % 2]!
    guesses.push((await within(socket, name, payload)).code)
  }
  expect(new Set(guesses)).toEqual(new Set(['not_found']))
  for (const [name, payload] of [
    ['mark_as_delivered', { conversationId: fay.id, upToSeq: 1 }],
    ['mark_as_read', { conversationId: fay.id, userId: eve.id }],
    ['send_message', outgoing(eve, fay)],
  ] as const)
    expect(await within(socket, name, payload)).toMatchObject({ ok: false, code: 'rate_limited' })
  expect(await within(socket, 'get_or_create_conversation', { withUser: fay.id })).toEqual({
    error: { code: 'rate_limited' },
  })
  expect((await caller(limited.url, eve.token).send('GET', `/api/user/${fay.id}`)).status).toBe(429)
  expect(await within(socket, 'get_conversations', undefined)).toMatchObject({ ok: true })
})

/** Retries after the general request limit, which a fast machine would reach. */
async function statusOf(ask: () => ReturnType<Caller['send']>): Promise<number> {
  const { status, headers } = await ask()
  const wait = status === 429 ? Number(headers.get('retry-after')) : 0
  if (wait === 0 || wait > 5) return status
  await sleep(wait * 1_000)
  return statusOf(ask)
}

/** Retries after the connection's own limit. */
async function within(socket: Client, name: string, payload: unknown): Promise<Record<string, unknown>> {
  const answer = await socket.ask(name, payload)
  const wait = answer.code === 'rate_limited' ? Number(answer.retryAfterMs) : 0
  if (wait === 0 || wait > 5_000) return answer
  await sleep(wait)
  return within(socket, name, payload)
}
