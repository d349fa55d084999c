import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rounds } from '../../../../tools/tier.ts'
import { transaction } from '../../platform/transaction.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import type { Person } from '../../test/people.ts'
import { outgoing, pair } from '../../test/talk.ts'
import { listConversations } from './listing.ts'
import { putMessageBack, type TakenMessage, takeMessageAway } from './moderated.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('write', 'write', 'write', 'delete', 'take away', 'put back', 'read', 'react'),
    first: fc.boolean(),
    which: fc.nat(8),
  }),
  { maxLength: 25 },
)

type Talk = Awaited<ReturnType<typeof pair>>

/** Returns a function that performs one random step. Steps that the server refuses change nothing. */
function player([ana, ben, anaSocket, benSocket]: Talk) {
  const taken: TakenMessage[] = []
  const target = (peer: Person, which: number) => ({ userId: peer.id, seq: String(which + 1) as unknown as number })
  return async (kind: string, isFirst: boolean, which: number) => {
    const [me, peer, socket] = isFirst ? [ana, ben, anaSocket] : ([ben, ana, benSocket] as const)
    const params = target(peer, which)
    if (kind === 'write') await socket.ask('send_message', outgoing(me, peer))
    if (kind === 'read') await socket.ask('mark_as_read', { conversationId: peer.id, userId: me.id, upToSeq: which })
    if (kind === 'delete') await me.call('DELETE /api/conversations/:userId/messages/:seq', { params })
    if (kind === 'react')
      await me.call('PUT /api/conversations/:userId/messages/:seq/reaction', { params, body: { emoji: '👍' } })
    if (kind === 'take away') {
      const gone = await transaction(app.platform, (tx) => takeMessageAway(tx, me.id, peer.id, which + 1))
      if (gone) taken.push(gone)
    }
    const back = kind === 'put back' && taken.pop()
    if (back) await transaction(app.platform, (tx) => putMessageBack(tx, back))
  }
}

async function recounted(reader: Person, peer: Person): Promise<number> {
  const { rows } = await app.platform.pool.query<{ count: number }>(
    `select count(*)::int as count from messages m join conversations c on c.id = m.conversation_id
     where c.id = conversation_id($1, $2) and m.sender_id = $2 and m.deleted_at is null
       and m.seq > case when c.user_lo = $1 then c.read_lo else c.read_hi end`,
    [reader.id, peer.id],
  )
  return rows[0]?.count ?? 0
}

async function unreadOf(reader: Person): Promise<number> {
  const {
    conversations: [row],
  } = await listConversations(app.platform, reader.id)
  return row?.unreadCount ?? 0
}

it('unread counts equal a full recount after any history of sent, deleted, restored and read messages', {
  tags: 'more-in-long',
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      const talk = await pair(app)
      const [ana, ben] = talk
      const play = player(talk)
      for (const { kind, first, which } of history) await play(kind, first, which)
      expect([await unreadOf(ana), await unreadOf(ben)]).toEqual([await recounted(ana, ben), await recounted(ben, ana)])
    }),
    { numRuns: rounds(4, 40, 40) },
  )
})

it('deleting an unread message lowers the unread count, but never below 0', async () => {
  const [ana, ben, anaSocket] = await pair(app)
  for (const text of ['one', 'two']) await anaSocket.ask('send_message', outgoing(ana, ben, text))
  expect(await unreadOf(ben)).toBe(2)
  const takeBack = (seq: number) =>
    ana.call('DELETE /api/conversations/:userId/messages/:seq', {
      params: { userId: ben.id, seq: String(seq) as unknown as number },
    })
  await takeBack(2)
  expect(await unreadOf(ben)).toBe(1)
  // Simulates a server of an older version, which counted neither message.
  await app.platform.pool.query(
    'update conversations set unread_lo = 0, unread_hi = 0 where $1 in (user_lo, user_hi)',
    [ben.id],
  )
  expect((await takeBack(1)).status).toBe(200)
  expect(await unreadOf(ben)).toBe(0)
})
