// @vitest-environment node
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { createChanges } from './changes.ts'
import { conversationsNewestFirst } from './conversation-order.ts'
import { device, rest, server, startServer, stops, talk } from './device.test-fake.ts'

it('A read receipt is sent once, and again if the connection broke before the server got it', async () => {
  talk(2)
  const { chat, line } = await device()
  await chat.pages.open('maya')
  await rest()
  const told = () => server.requests.filter((name) => name === 'mark_as_read').length
  expect(told()).toBe(1)
  chat.read('maya')
  await rest()
  expect(told()).toBe(1)
  line.connected = false
  chat.read('maya', 9)
  talk(1)
  chat.read('maya')
  line.connected = true
  await chat.connected()
  await rest()
  expect(told()).toBe(2)
})

it('A read receipt is sent again if the server couldn’t store it', async () => {
  talk(2)
  const { chat } = await device()
  server.state.down = true
  await chat.pages.open('maya')
  await rest()
  server.state.down = false
  expect(server.roomOf('maya').readByMe).toBe(0)
  await rest(4_000)
  expect(server.roomOf('maya').readByMe).toBe(2)
})

it('Delivery receipts go out at most once a second and stop before the first gap', async () => {
  talk(1)
  server.read('maya', 'me', 1)
  let lost = false
  const { line } = await device(() => lost)
  const asked = vi.spyOn(line, 'timeout')
  const told: unknown[] = []
  asked.mockReturnValue({
    emitWithAck: async (name: string, payload: unknown) => {
      if (name === 'mark_as_delivered') told.push(payload)
      return { ok: true }
    },
  })
  talk(3)
  await rest(500)
  talk(3)
  await rest(100)
  expect(told).toEqual([{ conversationId: 'maya', upToSeq: 4 }])
  lost = true
  talk(1)
  lost = false
  talk(1)
  await rest(900)
  expect(told).toEqual([
    { conversationId: 'maya', upToSeq: 4 },
    { conversationId: 'maya', upToSeq: 7 },
  ])
})

it('An edit shows immediately, and the old text returns if the server refuses it', async () => {
  talk(2, 'me')
  const { chat, maya } = await device()
  await chat.pages.open('maya')
  const [first] = maya().messages!
  const changes = createChanges({ viewerId: () => 'me', list: chat.list, call: server.call, refresh: () => undefined })
  const edited = changes.edit(first!, 'better')
  expect(maya().messages?.[0]?.message).toBe('better')
  await edited
  expect(maya().messages?.[0]).toMatchObject({ message: 'better', revision: 3 })
  vi.spyOn(server.roomOf('maya').messages, 'map').mockImplementation(() => {
    throw new Error('refused')
  })
  const refused = changes.edit(maya().messages![0]!, 'worse')
  expect(maya().messages?.[0]?.message).toBe('worse')
  await expect(refused).rejects.toThrow('refused')
  expect(maya().messages?.[0]?.message).toBe('better')
})

it('Two devices show the same messages as the server after any lost pushes', async () => {
  const act = fc.record({
    kind: fc.constantFrom('mine', 'other', 'maya', 'edit', 'readByMaya', 'cut', 'mend', 'rest'),
    at: fc.nat(50),
    loses: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 40 }), async (acts) => {
      startServer()
      talk(3)
      let lost = false
      const [one, other] = [await device(() => lost), await device(() => lost)]
      for (const { chat } of [one, other]) await chat.pages.open('maya')
      for (const { kind, at, loses } of acts) {
        lost = loses
        const count = server.roomOf('maya').messages.length
        if (kind === 'mine') one.chat.send(`one ${at}`)
        if (kind === 'other') other.chat.send(`other ${at}`)
        if (kind === 'maya') talk(1)
        if (kind === 'edit') server.change('maya', (at % count) + 1, { message: `edited ${at}` })
        if (kind === 'readByMaya') server.read('maya', 'maya', Math.min(at, count))
        if (kind === 'cut') one.line.connected = false
        if (kind === 'rest') await rest(at * 10)
        if (kind === 'mend' && !one.line.connected) {
          one.line.connected = true
          void one.chat.connected()
        }
      }
      lost = false
      one.line.connected = true
      await Promise.all([one.chat.connected(), other.chat.connected()])
      await rest(70_000)
      const truth = server.roomOf('maya').messages.map((message) => server.tell('maya', message))
      for (const { maya } of [one, other]) {
        expect(maya().messages).toEqual(truth)
        expect(maya().lastMessage).toEqual(truth.at(-1))
      }
      for (const stop of stops.splice(0)) stop()
    }),
    { numRuns: 100 },
  )
})

it('Conversations are in the server’s order after a sync, whatever pushes were lost', async () => {
  const people = ['ada', 'ben', 'cai', 'dee']
  const said = fc.record({ id: fc.constantFrom(...people), mine: fc.boolean(), lost: fc.boolean(), asks: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(said, { maxLength: 20 }), async (all) => {
      startServer()
      for (const id of people) server.write(id, id)
      let loses = false
      const { chat } = await device(() => loses)
      for (const { id, mine, lost, asks } of all) {
        loses = lost
        // Timestamps run backwards, as if the sender's clock were wrong.
        server.write(id, mine ? 'me' : id, { timestamp: new Date(1e12 - server.requests.length).toISOString() })
        if (asks) await chat.sync.now()
      }
      await chat.sync.now()
      const wroteAt = (id: string) => server.roomOf(id).wroteAt
      const truth = people.toSorted((one, other) => wroteAt(other) - wroteAt(one))
      expect(conversationsNewestFirst(chat.list.read()).map(({ id }) => id)).toEqual(truth)
      for (const stop of stops.splice(0)) stop()
    }),
    { numRuns: 100 },
  )
})

it('The first message goes to the person it was written for, even if another conversation is selected by then', async () => {
  talk(1)
  server.write('kofi', 'kofi')
  const { chat, selection } = await device()
  const writing = chat.writeFirst('maya', 'Hello Maya')
  await chat.pages.open('kofi')
  expect([await writing, selection().selectedId]).toEqual([true, 'kofi'])
  await rest()
  expect(server.roomOf('kofi').messages.map(({ senderId }) => senderId)).toEqual(['kofi'])
  expect(server.roomOf('maya').messages.at(-1)?.message).toBe('Hello Maya')
})

it('Delivery receipts continue after the chat is stopped and started again', async () => {
  talk(1)
  server.read('maya', 'me', 1)
  const { chat } = await device()
  const told = () => server.requests.filter((name) => name === 'mark_as_delivered').length
  talk(1)
  stops.pop()?.()
  stops.push(chat.start())
  expect(told()).toBe(0)
  talk(1)
  await rest()
  expect(told()).toBe(1)
})
