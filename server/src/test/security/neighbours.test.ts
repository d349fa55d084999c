import { afterAll, beforeAll, expect, it } from 'vitest'
import { rounds } from '../../../../tools/tier.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { type Person, people } from '../people.ts'
import { type Client, connect } from '../sockets.ts'
import { outgoing } from '../talk.ts'
import { noteFigure } from './figures.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_SCALE: '10000' })
})
afterAll(() => app.close())

const pairs = rounds(8, 8, 25)
const times = rounds(1, 20, 400)

it('A person whose stored texts can’t be used costs no one else a notification.', {
  tags: ['more-in-long', 'more-in-release'],
  timeout: 3_600_000,
}, async () => {
  const [eve, poisoned, ...others] = (await people(app, 2 + 2 * pairs)) as [Person, Person, ...Person[]]
  const [senders, receivers] = [others.slice(0, pairs), others.slice(pairs)]
  await app.platform.pool.query('update profiles set hidden_words = array[null]::text[] where user_id = $1', [
    poisoned.id,
  ])
  const chats: [Client, Person, Person][] = await Promise.all(
    [eve, ...senders].map(async (from, n) => [await connect(app, from), from, receivers[n - 1] ?? poisoned]),
  )
  const ids = receivers.map(({ id }) => id)
  const countTold = async (words: string) => {
    const { rows } = await app.platform.pool.query<{ count: number }>(
      `select count(*)::int as count from notifications where user_id = any($1) and params->>'preview' = $2`,
      [ids, words],
    )
    return rows[0]?.count
  }
  let told = 0
  for (let time = 1; time <= times; time++) {
    const words = `number ${time}`
    await Promise.all(chats.map(([socket, from, to]) => socket.ask('send_message', outgoing(from, to, words))))
    await expect.poll(() => countTold(words)).toBe(pairs)
    told += pairs
  }
  noteFigure('A1.neighbours_told', told, `notifications beside ${times} that could not be made, none of them lost`)
})
