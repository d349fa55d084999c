import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestApp } from '../../test/app.ts'
import type { TestDatabase } from '../../test/database.ts'
import { caller, type Person, people } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'
import { peopleSince, send, startBoth } from '../spam/acts.test-spam.ts'

let database: TestDatabase
let open: TestApp
let limited: TestApp
let close: () => Promise<void>
beforeAll(async () => {
  ;({ database, open, limited, close } = await startBoth())
})
afterAll(() => close())

it('someone who edits short messages to many people into the same text is held like someone who sends that text', {
  tags: 'long',
}, async () => {
  const [bot] = (await peopleSince(open, database, 1, 100)) as [Person]
  const victims = await people(open, 8)
  const device = await connect(limited, bot)
  const heard = async (victim: Person) =>
    (await victim.call('GET /api/messages/history')).body.flatMap(({ messages = [] }) => messages)
  const bait =
    'Hello there! I am Sofia and I would so much like to know you. Write to me elsewhere, I am not often here.'
  let read = 0
  for (const victim of victims) {
    await send(device, bot, victim, 'Hi')
    expect(await heard(victim)).toHaveLength(1)
    const { status } = await caller(limited.url, bot.token).call('PATCH /api/conversations/:userId/messages/:seq', {
      params: { userId: victim.id, seq: 1 },
      body: { message: bait },
    })
    expect(status).toBe(200)
    if ((await heard(victim)).some(({ message }) => message === bait)) read += 1
  }
  expect(read).toBe(7)
  for (const victim of victims) expect(await heard(victim)).toEqual([])
})
